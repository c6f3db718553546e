// Whatever the bytes, DecodeNpy answers; what it accepts is written and read back equal.
#include <algorithm>

#include "headrace/core/check.h"
#include "headrace/tensor/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace headrace;
  const Result<HostTensor> tensor = DecodeNpy(std::as_bytes(std::span(data, size)));
  if (!tensor.ok()) return 0;
  const Result<std::string> bytes = EncodeNpy(*tensor);
  if (!bytes.ok()) return 0;  // more dimensions than numpy has
  const Result<HostTensor> back = DecodeNpy(std::as_bytes(std::span(*bytes)));
  HR_CHECK(back->type() == tensor->type() && std::ranges::equal(back->bytes(), tensor->bytes()));
  return 0;
}
