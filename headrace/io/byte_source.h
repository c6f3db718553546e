// ByteSource: bytes that come one piece after another (a decompressor, a download), for parsers that need not
// hold everything. Not thread-safe.
#pragma once

#include <cstddef>
#include <span>

#include "headrace/core/status.h"
#include "headrace/io/bytes.h"

namespace headrace::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills the front of `out` (not empty) and says with how many bytes: at least 1, or 0 at the end. After an
  // error every further call repeats it.
  virtual Result<size_t> Read(std::span<std::byte> out) = 0;
};

// The bytes of a blob, piece by piece.
class BlobSource final : public ByteSource {
 public:
  explicit BlobSource(Blob blob) : blob_(std::move(blob)), rest_(blob_.bytes) {}
  Result<size_t> Read(std::span<std::byte> out) override;

 private:
  Blob blob_;
  Bytes rest_;
};

// Reads until `out` is full or the source ends; how many bytes that were.
Result<size_t> ReadFully(ByteSource& source, std::span<std::byte> out);

}  // namespace headrace::io
