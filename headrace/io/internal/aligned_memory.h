// Memory whose start is aligned so that a device can take it without copying.
#pragma once

#include <cstring>
#include <memory>
#include <new>

#include "headrace/io/bytes.h"

namespace headrace::io {

// `size` uninitialized bytes, 64-byte aligned.
inline std::shared_ptr<std::byte> AllocateAligned(size_t size) {
  constexpr std::align_val_t kAlignment{64};
  return {static_cast<std::byte*>(::operator new(size, kAlignment)),
          [](std::byte* memory) { ::operator delete(memory, kAlignment); }};
}

inline Blob CopyToBlob(Bytes bytes) {
  std::shared_ptr<std::byte> memory = AllocateAligned(bytes.size());
  if (!bytes.empty()) std::memcpy(memory.get(), bytes.data(), bytes.size());
  return {memory, {memory.get(), bytes.size()}};
}

}  // namespace headrace::io
