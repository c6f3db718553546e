#include "headrace/graph/ops/reduce.h"

#include <algorithm>
#include <array>
#include <limits>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/monoid.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

// Product of all elements along the last dimension but the element itself, in log2(n) steps, exact where
// elements are 0: prefix products times suffix products.
Value ProductOfOthers(Value x) {
  const int64_t n = x.dim(-1);
  const int last = x.rank() - 1;
  // Shifts along the last dimension by `distance` (either way), filling with ones.
  auto shifted = [&](Value v, int64_t distance) {
    Padding padding(static_cast<size_t>(x.rank()));
    padding[static_cast<size_t>(last)] = {distance, -distance};
    return Pad(v, Scalar(v.graph(), v.dtype(), 1), padding);
  };
  Value prefix = shifted(x, 1);
  Value suffix = shifted(x, -1);
  for (int64_t distance = 1; distance < n; distance *= 2) {
    prefix = prefix * shifted(prefix, distance);
    suffix = suffix * shifted(suffix, -distance);
  }
  return prefix * suffix;
}

struct ReduceOp final : OpOf<ReduceOp> {
  static constexpr std::string_view kName = "reduce";
  Reduction reduction = Reduction::kAdd;
  Ints dims;  // rising

  void Attributes(AttributeVisitor& v) override {
    v.Visit("reduction", reduction, kReductionNames);
    v.Visit("dims", dims);
  }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    RequireReducible(reduction, x[0].dtype);
    return {{x[0].dtype, WithoutDims(x[0].shape, dims)}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    const Value x = node.operands[0];
    const std::string init = e.Inline(node, InitialValue(reduction, x.dtype()));
    e.Line(node,
           fmt::format("stablehlo.reduce({} init: {}) applies {} across dimensions = {} : ({}, {}) -> {}",
                       e.Ref(x), init, MlirReduction(reduction), Bracketed(dims), x.type().ToMlir(),
                       TensorType{x.dtype(), {}}.ToMlir(), node.types[0].ToMlir()));
  }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value x = node.operands[0];
    auto spread = [&](Value reduced) { return BroadcastTo(KeepDims(reduced, x.shape(), dims), x.shape()); };
    switch (reduction) {
      case Reduction::kAdd:
        return {spread(dy[0])};
      case Reduction::kMax:
      case Reduction::kMin: {
        // Elements that tie for the extreme share its cotangent.
        const Value hit = Convert(Equal(x, spread(node.result())), x.dtype());
        return {hit * spread(dy[0] / Sum(hit, dims))};
      }
      case Reduction::kMul: {
        const Flattened flat = FlattenedLast(x, dims);
        const Value others = ProductOfOthers(flat.value);
        return {spread(dy[0]) * Transpose(Reshape(others, flat.moved), flat.inverse)};
      }
      default:
        return {Value()};
    }
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {Reduce(x[0].value, reduction, ShiftedByBatch(dims))};
  }
};

Ints AllAxes(Value x) {
  Ints axes;
  for (int axis = 0; axis < x.rank(); ++axis) axes.push_back(axis);
  return axes;
}

}  // namespace

std::vector<OpEntry> ReduceOps() { return EntriesOf<ReduceOp>(); }

Value Reduce(Value x, Reduction reduction, Ints axes) {
  if (axes.empty()) return x;
  ReduceOp op;
  op.reduction = reduction;
  op.dims = RisingAxes(std::move(axes), x.rank());
  return Apply(op, {x});
}

Value Sum(Value x, Ints axes) { return Reduce(x, Reduction::kAdd, std::move(axes)); }
Value Max(Value x, Ints axes) { return Reduce(x, Reduction::kMax, std::move(axes)); }
Value Min(Value x, Ints axes) { return Reduce(x, Reduction::kMin, std::move(axes)); }
Value Prod(Value x, Ints axes) { return Reduce(x, Reduction::kMul, std::move(axes)); }
Value All(Value x, Ints axes) { return Reduce(x, Reduction::kAnd, std::move(axes)); }
Value Any(Value x, Ints axes) { return Reduce(x, Reduction::kOr, std::move(axes)); }
Value Sum(Value x) { return Sum(x, AllAxes(x)); }
Value Mean(Value x) { return Mean(x, AllAxes(x)); }

Value Mean(Value x, Ints axes) {
  double count = 1;
  for (int64_t axis : axes) count *= static_cast<double>(x.dim(static_cast<int>(axis)));
  return Sum(x, std::move(axes)) / count;
}

Ints RisingAxes(Ints axes, int rank) {
  for (int64_t& axis : axes) axis = axis < 0 ? axis + rank : axis;
  std::ranges::sort(axes);
  return axes;
}

Shape WithoutDims(const Shape& shape, const Ints& dims) {
  std::vector<int64_t> kept;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!std::ranges::binary_search(dims, axis)) kept.push_back(shape[axis]);
  }
  const bool distinct = std::ranges::adjacent_find(dims) == dims.end();
  Require(distinct && kept.size() + dims.size() == static_cast<size_t>(shape.rank()),
          "dims {} are not distinct dimensions of it", Bracketed(dims));
  return Shape(kept);
}

Flattened FlattenedLast(Value x, const Ints& dims) {
  Ints order;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (!std::ranges::binary_search(dims, axis)) order.push_back(axis);
  }
  order.insert(order.end(), dims.begin(), dims.end());
  const Value moved = Transpose(x, order);
  Ints flat = WithoutDims(x.shape(), dims).dims();
  int64_t reduced = 1;
  for (int64_t axis : dims) reduced *= x.dim(static_cast<int>(axis));
  flat.push_back(reduced);
  Ints inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return {Reshape(moved, flat), moved.shape(), inverse};
}

Value KeepDims(Value reduced, const Shape& of, Ints axes) {
  Ints dims = of.dims();
  for (int64_t axis : RisingAxes(std::move(axes), of.rank())) dims.at(static_cast<size_t>(axis)) = 1;
  return Reshape(reduced, dims);
}

}  // namespace headrace
