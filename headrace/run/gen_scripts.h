// What CMake makes of those programs of tools/ that make data (embed_files.cmake).
#pragma once

#include <span>
#include <string_view>

namespace headrace::run {

struct Script {
  std::string_view name;  // "cut_tiles.py"
  std::string_view text;  // Python, with nothing but its standard library
};

extern const std::span<const Script> kScripts;

}  // namespace headrace::run
