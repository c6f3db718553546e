#include "headrace/graph/ops/matmul.h"

#include "headrace/graph/ops.h"

namespace headrace {

Value Matmul(Value a, Value b, Precision precision, std::optional<DType> preferred_element_type) {
  Require(a.rank() >= 1 && b.rank() >= 1, "matmul: takes [..., m, k] and [..., k, n], not {} and {}",
          a.type().ToString(), b.type().ToString());
  const int64_t rows = b.dim(b.rank() == 1 ? -1 : -2);
  Require(a.dim(-1) == rows, "matmul: the rows of {} have {} elements, the columns of {} {}",
          a.type().ToString(), a.dim(-1), b.type().ToString(), rows);
  const std::string_view left = a.rank() == 1 ? "k" : "...mk";
  const std::string_view right = b.rank() == 1 ? "k" : "...kn";
  const std::string_view output =
      a.rank() == 1 ? (b.rank() == 1 ? "" : "...n") : (b.rank() == 1 ? "...m" : "...mn");
  return Einsum(fmt::format("{},{}->{}", left, right, output), {a, b}, precision, preferred_element_type);
}

Value Outer(Value a, Value b) { return DotGeneral(Reshape(a, {-1}), Reshape(b, {-1}), {}); }

Value Tensordot(Value a, Value b, int axes, Precision precision,
                std::optional<DType> preferred_element_type) {
  Require(axes >= 0 && axes <= a.rank() && axes <= b.rank(),
          "tensordot: {} axes are not among those of {} and {}", axes, a.type().ToString(),
          b.type().ToString());
  Ints a_axes, b_axes;
  for (int axis = 0; axis < axes; ++axis) {
    a_axes.push_back(a.rank() - axes + axis);
    b_axes.push_back(axis);
  }
  return Tensordot(a, b, std::move(a_axes), std::move(b_axes), precision, preferred_element_type);
}

Value Tensordot(Value a, Value b, Ints a_axes, Ints b_axes, Precision precision,
                std::optional<DType> preferred_element_type) {
  for (int64_t& axis : a_axes) axis = axis < 0 ? axis + a.rank() : axis;
  for (int64_t& axis : b_axes) axis = axis < 0 ? axis + b.rank() : axis;
  return DotGeneral(a, b, {{}, {}, std::move(a_axes), std::move(b_axes)}, precision, preferred_element_type);
}

}  // namespace headrace
