#include "headrace/nn/rotary.h"

#include <cmath>

#include "headrace/graph/ops.h"

namespace headrace::nn {
namespace {

// The two members of each pair, [..., pairs] each.
struct Pairs {
  Value first, second;
};

Ints WithoutLast(Value x) {
  Ints dims = x.shape().dims();
  dims.pop_back();
  return dims;
}

// [..., 2 · pairs] -> members as [..., pairs].
Pairs Taken(Value x, RotaryPairs pairs) {
  const int64_t count = x.dim(-1) / 2;
  if (pairs == RotaryPairs::kHalves) return {Slice(x, -1, 0, count), Slice(x, -1, count, 2 * count)};
  Ints cut = WithoutLast(x);
  cut.insert(cut.end(), {count, 2});
  const Value two = Reshape(x, cut);
  Ints one = WithoutLast(x);
  one.push_back(count);
  return {Reshape(Slice(two, -1, 0, 1), one), Reshape(Slice(two, -1, 1, 2), one)};
}

Value PutBack(const Pairs& x, RotaryPairs pairs) {
  if (pairs == RotaryPairs::kHalves) return Concatenate({x.first, x.second}, -1);
  Ints dims = WithoutLast(x.first);
  dims.push_back(2 * x.first.dim(-1));
  return Reshape(Concatenate({ExpandDims(x.first, -1), ExpandDims(x.second, -1)}, -1), dims);
}

}  // namespace

std::vector<double> RotaryFrequencies(int64_t dims, double base) {
  std::vector<double> frequencies;
  for (int64_t i = 0; i < dims; i += 2) {
    frequencies.push_back(std::pow(base, -static_cast<double>(i) / static_cast<double>(dims)));
  }
  return frequencies;
}

RotaryTable MakeRotaryTable(Value positions, std::span<const double> frequencies) {
  HostTensor row({DType::kF32, {static_cast<int64_t>(frequencies.size())}});
  for (size_t i = 0; i < frequencies.size(); ++i) row.Set(static_cast<int64_t>(i), frequencies[i]);
  const Value angles =
      ExpandDims(Convert(positions, DType::kF32), -1) * Constant(positions.graph(), std::move(row));
  return {Cos(angles), Sin(angles)};
}

Value Rotate(Value x, const RotaryTable& table, RotaryPairs pairs) {
  Require(x.rank() == 4, "rotate: takes [batch, length, heads, size], not {}", x.type().ToString());
  const int64_t turned = 2 * table.cos.dim(-1);
  Require(turned <= x.dim(-1), "rotate: the table turns {} elements; a head has {}", turned, x.dim(-1));
  // One more dimension, for the heads: [(B,) T, 1, pairs].
  const Value cos = ExpandDims(table.cos, -2);
  const Value sin = ExpandDims(table.sin, -2);
  const Pairs in = Taken(Convert(Slice(x, -1, 0, turned), DType::kF32), pairs);
  const Pairs out = {in.first * cos - in.second * sin, in.second * cos + in.first * sin};
  const Value y = Convert(PutBack(out, pairs), x.dtype());
  return turned == x.dim(-1) ? y : Concatenate({y, Slice(x, -1, turned, x.dim(-1))}, -1);
}

}  // namespace headrace::nn
