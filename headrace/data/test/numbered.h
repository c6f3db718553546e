// A dataset for tests, in which every example says which one it is.
#pragma once

#include <memory>
#include <numeric>
#include <vector>

#include "headrace/data/array_dataset.h"

namespace headrace::data {

// Field `label`: the example's index.
inline std::shared_ptr<const Dataset> Numbered(int32_t size) {
  std::vector<int32_t> labels(size);
  std::iota(labels.begin(), labels.end(), 0);
  return *ArrayDataset::Create({.name = "numbers"}, {{"label", HostTensor::Of<int32_t>({size}, labels)}});
}

// The labels of a batch.
inline std::vector<int32_t> LabelsOf(const std::vector<NamedTensor>& fields) {
  for (const NamedTensor& field : fields) {
    if (field.name == kLabel) {
      const auto labels = field.tensor.data<int32_t>();
      return {labels.begin(), labels.end()};
    }
  }
  return {};
}

}  // namespace headrace::data
