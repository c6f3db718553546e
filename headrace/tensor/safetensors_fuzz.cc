// Whatever the bytes, DecodeSafetensors answers; what it accepts is written and read back equal.
#include <algorithm>
#include <map>

#include "headrace/core/check.h"
#include "headrace/tensor/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace headrace;
  const Result<std::vector<NamedTensor>> tensors = DecodeSafetensors(std::as_bytes(std::span(data, size)));
  if (!tensors.ok()) return 0;
  const Result<std::string> bytes = EncodeSafetensors(*tensors);
  const Result<std::vector<NamedTensor>> back = DecodeSafetensors(std::as_bytes(std::span(*bytes)));
  std::map<std::string, HostTensor> by_name;
  for (const NamedTensor& each : *back) by_name.emplace(each.name, each.tensor);
  HR_CHECK(by_name.size() == tensors->size());
  for (const NamedTensor& each : *tensors) {
    const HostTensor& other = by_name.at(each.name);
    HR_CHECK(other.type() == each.tensor.type() && std::ranges::equal(other.bytes(), each.tensor.bytes()));
  }
  return 0;
}
