// Whatever the bytes, DecodeNpz answers; what it accepts is written and read back with the same names.
#include "headrace/core/check.h"
#include "headrace/tensor/npz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace headrace;
  const Result<std::vector<NamedTensor>> arrays = DecodeNpz(std::as_bytes(std::span(data, size)));
  if (!arrays.ok()) return 0;
  const Result<std::string> bytes = EncodeNpz(*arrays, NpzCompression::kDeflate);
  if (!bytes.ok()) return 0;  // a name that zip cannot hold
  const Result<std::vector<NamedTensor>> back = DecodeNpz(std::as_bytes(std::span(*bytes)));
  HR_CHECK(back->size() == arrays->size());
  return 0;
}
