#include "headrace/graph/ops/fold.h"

#include "headrace/graph/ops/shape_ops.h"

namespace headrace {
namespace {

// All dimensions in order, but for `moved`, which stands at `at`.
Ints Moving(int rank, int64_t moved, int64_t at) {
  Ints order;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (axis != moved) order.push_back(axis);
  }
  order.insert(order.begin() + at, moved);
  return order;
}

}  // namespace

Value Fold(Value x, int64_t into, int64_t outer) {
  Ints split = x.shape().dims();
  const auto at = static_cast<size_t>(into) + 1;
  split.insert(split.begin() + into + 1, outer);
  split[at + 1] /= outer;
  const Value moved = Transpose(Reshape(x, split), Moving(x.rank() + 1, 0, into + 1));
  Ints merged(split.begin() + 1, split.end());
  merged[at - 1] *= split[0] * merged[at];
  merged.erase(merged.begin() + into + 1);
  return Reshape(moved, merged);
}

Value Unfold(Value x, int64_t from, int64_t size, int64_t outer) {
  Ints split = x.shape().dims();
  const auto at = static_cast<size_t>(from);
  split[at] /= size * outer;
  split.insert(split.begin() + from, {outer, size});
  const Value moved = Transpose(Reshape(x, split), Moving(x.rank() + 2, from + 1, 0));
  Ints merged = x.shape().dims();
  merged[at] /= size;
  merged.insert(merged.begin(), size);
  return Reshape(moved, merged);
}

Value MoveFactor(Value x, int64_t from, int64_t to, int64_t size) {
  return size == 1 ? x : Fold(Unfold(x, from, size), to);
}

}  // namespace headrace
