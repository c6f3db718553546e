#include "headrace/graph/ops/matrices.h"

namespace headrace {
namespace {

bool IsSquare(const Shape& shape) {
  return shape.rank() >= 2 && shape[shape.rank() - 1] == shape[shape.rank() - 2];
}

}  // namespace

void RequireDecomposable(DType dtype) {
  const DType part = PartOf(dtype);
  Require(part == DType::kF32 || part == DType::kF64, "takes f32, f64, c64 or c128");
}

void RequireMatrices(const TensorType& type) {
  RequireDecomposable(type.dtype);
  Require(type.shape.rank() >= 2, "takes matrices [..., m, n]");
}

void RequireSquareMatrices(const TensorType& type) {
  RequireDecomposable(type.dtype);
  Require(IsSquare(type.shape), "takes square matrices [..., n, n]");
}

void RequireSquareMatrices(std::string_view name, Value a) {
  Require(IsSquare(a.shape()), "{}: takes square matrices [..., n, n], not {}", name, a.type().ToString());
}

}  // namespace headrace
