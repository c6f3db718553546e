// Shape and TensorType: the dimensions of a dense, row-major array, and those with an element type.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "headrace/tensor/dtype.h"

namespace headrace {

// Sizes of the dimensions, outermost first; no dimensions is a scalar. Sizes are never negative.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int64_t> dims) : dims_(dims) {}
  explicit Shape(std::vector<int64_t> dims) : dims_(std::move(dims)) {}

  int rank() const { return static_cast<int>(dims_.size()); }
  // Size of dimension `axis`. REQUIRES: 0 <= axis < rank()
  int64_t operator[](int axis) const { return dims_.at(static_cast<size_t>(axis)); }
  const std::vector<int64_t>& dims() const { return dims_; }
  auto begin() const { return dims_.begin(); }
  auto end() const { return dims_.end(); }

  // Product of the sizes; 1 for a scalar.
  int64_t ElementCount() const;

  // Row-major strides in elements.
  std::vector<int64_t> Strides() const;

  // "[2, 3]"; "[]" for a scalar.
  std::string ToString() const;

  bool operator==(const Shape&) const = default;

 private:
  std::vector<int64_t> dims_;
};

struct TensorType {
  DType dtype = DType::kF32;
  Shape shape;

  int64_t ByteCount() const { return shape.ElementCount() * ByteSize(dtype); }
  std::string ToString() const;  // "f32[2, 3]"
  std::string ToMlir() const;    // "tensor<2x3xf32>"
  bool operator==(const TensorType&) const = default;
};

// ByteCount() for a type that came from outside: nothing if a size is negative or the product does not fit in
// an int64 (taking sizes of 0 as 1, so that strides fit too).
std::optional<int64_t> CheckedByteCount(const TensorType& type);

}  // namespace headrace
