#include "headrace/tensor/shape.h"

#include <fmt/format.h>

#include <algorithm>

namespace headrace {

int64_t Shape::ElementCount() const {
  int64_t count = 1;
  for (int64_t dim : dims_) count *= dim;
  return count;
}

std::vector<int64_t> Shape::Strides() const {
  std::vector<int64_t> strides(dims_.size());
  int64_t stride = 1;
  for (size_t i = dims_.size(); i-- > 0; stride *= dims_[i]) strides[i] = stride;
  return strides;
}

std::string Shape::ToString() const { return fmt::format("[{}]", fmt::join(dims_, ", ")); }

std::optional<int64_t> CheckedByteCount(const TensorType& type) {
  int64_t count = ByteSize(type.dtype);
  for (int64_t dim : type.shape) {
    if (dim < 0 || __builtin_mul_overflow(count, std::max<int64_t>(dim, 1), &count)) return std::nullopt;
  }
  return type.ByteCount();
}

std::string TensorType::ToString() const { return fmt::format("{}{}", Name(dtype), shape.ToString()); }

std::string TensorType::ToMlir() const {
  std::string text = "tensor<";
  for (int64_t dim : shape) text += fmt::format("{}x", dim);
  return text + fmt::format("{}>", MlirName(dtype));
}

}  // namespace headrace
