#include "headrace/graph/ops/associative_scan.h"

#include "headrace/graph/ops.h"

namespace headrace {
namespace {

// Every second element, from `start` below `limit`.
Value Alternate(Value x, int axis, int64_t start, int64_t limit) {
  Ints starts(static_cast<size_t>(x.rank()), 0), limits = x.shape().dims(), strides(starts.size(), 1);
  const auto at = static_cast<size_t>(axis);
  starts[at] = start;
  limits[at] = limit;
  strides[at] = 2;
  return Slice(x, starts, limits, strides);
}

// even[0], odd[0], even[1], …; there may be one more even element.
Value Interleave(Value even, Value odd, int axis) {
  const int64_t count = even.dim(axis) + odd.dim(axis);
  Padding padding(static_cast<size_t>(odd.rank()));
  padding[static_cast<size_t>(axis)] = {0, even.dim(axis) - odd.dim(axis)};
  odd = Pad(odd, Scalar(odd.graph(), odd.dtype(), 0), padding);
  Ints dims = even.shape().dims();
  dims[static_cast<size_t>(axis)] *= 2;
  const Value pairs = Concatenate({ExpandDims(even, axis + 1), ExpandDims(odd, axis + 1)}, axis + 1);
  return Slice(Reshape(pairs, dims), axis, 0, count);
}

template <class Of>
Values Each(std::span<const Value> values, const Of& of) {
  Values results;
  for (Value value : values) results.push_back(of(value));
  return results;
}

// Neighbours are combined and scanned, which gives the odd places; one more combination each gives the even
// ones.
Values Scanned(const CombineFn& combine, const Values& x, int axis) {
  const int64_t n = x[0].dim(axis);
  if (n < 2) return x;
  const int64_t pairs = n / 2;
  const Values evens = Each(x, [&](Value v) { return Alternate(v, axis, 0, 2 * pairs); });
  const Values odds = Each(x, [&](Value v) { return Alternate(v, axis, 1, n); });
  const Values at_odd = Scanned(combine, combine(evens, odds), axis);
  const Values first = Each(x, [&](Value v) { return Slice(v, axis, 0, 1); });
  if (n == 2) {
    Values both;
    for (size_t i = 0; i < x.size(); ++i) both.push_back(Concatenate({first[i], at_odd[i]}, axis));
    return both;
  }
  const int64_t later_evens = (n - 1) / 2;
  const Values before = Each(at_odd, [&](Value v) { return Slice(v, axis, 0, later_evens); });
  const Values later = Each(x, [&](Value v) { return Alternate(v, axis, 2, n); });
  const Values combined = combine(before, later);
  Values results;
  for (size_t i = 0; i < x.size(); ++i)
    results.push_back(Interleave(Concatenate({first[i], combined[i]}, axis), at_odd[i], axis));
  return results;
}

}  // namespace

Values AssociativeScan(const CombineFn& combine, Values values, int axis, bool reverse) {
  Require(!values.empty(), "associative_scan: has no values");
  if (axis < 0) axis += values[0].rank();
  for (Value value : values) {
    Require(axis >= 0 && axis < value.rank() && value.dim(axis) == values[0].dim(axis),
            "associative_scan: sizes along axis {} differ: {} and {}", axis, values[0].type().ToString(),
            value.type().ToString());
  }
  const auto turned = [&](Value x) { return reverse ? Reverse(x, {axis}) : x; };
  return Each(Scanned(combine, Each(values, turned), axis), turned);
}

}  // namespace headrace
