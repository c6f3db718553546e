#include "headrace/graph/ops/right_sides.h"

#include "headrace/graph/ops.h"

namespace headrace {
namespace {

Shape LeadingDims(Value x) { return Shape(std::vector<int64_t>(x.shape().begin(), x.shape().end() - 2)); }

// The same matrices with other leading dimensions.
Value WithLeading(Value x, const Shape& leading) {
  Ints dims = leading.dims();
  dims.insert(dims.end(), {x.dim(-2), x.dim(-1)});
  return BroadcastTo(x, Shape(std::move(dims)));
}

// numpy's rule; what does not fit is left to BroadcastTo.
Shape BroadcastShape(const Shape& a, const Shape& b) {
  const Shape& longer = a.rank() >= b.rank() ? a : b;
  const Shape& shorter = a.rank() >= b.rank() ? b : a;
  std::vector<int64_t> dims = longer.dims();
  for (int axis = 0; axis < shorter.rank(); ++axis) {
    int64_t& dim = dims[static_cast<size_t>(longer.rank() - shorter.rank() + axis)];
    if (dim == 1) dim = shorter[axis];
  }
  return Shape(std::move(dims));
}

}  // namespace

Value WithRightSides(std::string_view name, Value a, Value b,
                     const std::function<Value(Value a, Value b)>& solve) {
  const bool vector = b.rank() == 1;
  Require(a.rank() >= 2 && b.rank() >= 1 && a.dim(-2) == b.dim(vector ? -1 : -2) && a.dtype() == b.dtype(),
          "{}: takes [..., m, n] and [m] or [..., m, k] of one element type, not {} and {}", name,
          a.type().ToString(), b.type().ToString());
  if (vector) b = ExpandDims(b, 1);
  const Shape leading = BroadcastShape(LeadingDims(a), LeadingDims(b));
  const Value x = solve(WithLeading(a, leading), WithLeading(b, leading));
  return vector ? Reshape(x, Shape(std::vector<int64_t>(x.shape().begin(), x.shape().end() - 1))) : x;
}

}  // namespace headrace
