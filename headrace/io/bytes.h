// Bytes and Blob: views of memory, and views that keep their memory alive.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace headrace::io {

using Bytes = std::span<const std::byte>;

inline Bytes AsBytes(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

inline std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Bytes that were read, and whatever keeps them alive (memory, or a mapping of the file).
struct Blob {
  std::shared_ptr<const void> owner;
  Bytes bytes;
  std::string_view text() const { return AsText(bytes); }
};

}  // namespace headrace::io
