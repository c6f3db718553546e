// NamedTensor and NamedType: what files of several tensors hold, with and without the bytes.
#pragma once

#include <string>

#include "headrace/tensor/host_tensor.h"

namespace headrace {

struct NamedTensor {
  std::string name;
  HostTensor tensor;
};

struct NamedType {
  std::string name;
  TensorType type;
  bool operator==(const NamedType&) const = default;
};

}  // namespace headrace
