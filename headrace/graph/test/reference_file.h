// ReadReferences: the tensors of a reference file in testdata/, by name; ElementReader: of one that holds
// those of many cases behind each other. For tests only.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "headrace/tensor/safetensors.h"

namespace headrace {

// `path` is relative to the root of the tree. Fails the test, and returns nothing, if it cannot be read.
inline std::map<std::string, HostTensor> ReadReferences(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto tensors = DecodeSafetensors(std::as_bytes(std::span(text)));
  if (!tensors.ok()) {
    ADD_FAILURE() << path << ": " << tensors.status().ToString();
    return {};
  }
  std::map<std::string, HostTensor> by_name;
  for (NamedTensor& named : *tensors) by_name.emplace(named.name, named.tensor);
  return by_name;
}

// Hands out the elements of a reference, one case after the other.
class ElementReader {
 public:
  explicit ElementReader(HostTensor all) : all_(std::move(all)) {}

  HostTensor Next(const TensorType& type) {
    HostTensor tensor(type);
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.Set(i, all_.At(at_ + i));
    at_ += tensor.size();
    return tensor;
  }
  bool AtEnd() const { return at_ == all_.size(); }

 private:
  HostTensor all_;
  int64_t at_ = 0;
};

}  // namespace headrace
