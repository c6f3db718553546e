// Whatever the bytes, Gunzip answers, and in pieces the same; and anything survives Gzip and Gunzip.
#include "headrace/core/check.h"
#include "headrace/io/gzip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace headrace;
  using namespace headrace::io;
  const Bytes bytes = std::as_bytes(std::span(data, size));
  const Result<std::string> text = Gunzip(bytes, "fuzz");
  GzipSource source({nullptr, bytes}, "fuzz");
  std::string pieces;
  std::byte buffer[100];
  Result<size_t> count = source.Read(buffer);
  for (; count.ok() && *count > 0; count = source.Read(buffer)) pieces += AsText(Bytes(buffer).first(*count));
  HR_CHECK(count.status().ToString() == text.status().ToString());
  HR_CHECK(!text.ok() || *text == pieces);
  HR_CHECK(*Gunzip(AsBytes(Gzip(bytes, 1)), "fuzz") == AsText(bytes));
  return 0;
}
