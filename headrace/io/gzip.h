// Gzip: reads and writes .gz bytes (RFC 1952), several members one after another included.
//
//   GzipSource source(*blob, "train.csv.gz");
//   HR_TRY(const size_t count, source.Read(buffer));     // piece by piece
//   HR_TRY(std::string text, Gunzip(blob->bytes, "train.csv.gz"));
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "headrace/io/byte_source.h"

namespace headrace::io {

// True if the bytes begin as gzip does.
bool IsGzip(Bytes bytes);

// The decompressed bytes. Errors name `name` and the offset in the compressed bytes: kOutOfRange if they stop
// too early (an interrupted download), kDataLoss if they are damaged, kInvalidArgument if they are not gzip.
class GzipSource final : public ByteSource {
 public:
  GzipSource(Blob compressed, std::string name);
  ~GzipSource() override;
  Result<size_t> Read(std::span<std::byte> out) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Everything at once; errors as GzipSource.
Result<std::string> Gunzip(Bytes compressed, std::string_view name);

// One member without name or time, so that equal bytes give equal bytes. Level 1 (fast) to 9 (small).
std::string Gzip(Bytes bytes, int level = 6);

}  // namespace headrace::io
