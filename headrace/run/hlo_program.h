// HloProgram: a StableHLO program from a file, whoever wrote it.
//
// Text and MLIR bytecode are told apart by content. What can be recognized as something else, or as a program
// that no device can run as it is, is refused by name, with what to do.
#pragma once

#include <string>
#include <string_view>

#include "headrace/core/status.h"

namespace headrace::run {

struct HloProgram {
  std::string bytes;                  // text or bytecode
  bool takes_platform_index = false;  // JAX's export for several platforms: their index is its first input
};

// Judges what `bytes` hold; `name` is what messages call them.
Result<HloProgram> IdentifyHloProgram(std::string bytes, std::string_view name);

// kInvalidArgument if there is no such file.
Result<HloProgram> ReadHloProgram(const std::string& path);

}  // namespace headrace::run
