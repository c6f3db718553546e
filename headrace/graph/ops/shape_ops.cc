#include "headrace/graph/ops/shape_ops.h"

#include <algorithm>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

struct BroadcastInDimOp final : OpOf<BroadcastInDimOp> {
  static constexpr std::string_view kName = "broadcast_in_dim";
  Shape shape;
  Ints dims;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("shape", shape);
    v.Visit("dims", dims);
  }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    Require(static_cast<int>(dims.size()) == x[0].shape.rank(),
            "dims {} must name one dimension of {} for each of the operand's", Bracketed(dims),
            shape.ToString());
    int64_t previous = -1;
    for (size_t i = 0; i < dims.size(); ++i) {
      Require(dims[i] > previous && dims[i] < shape.rank(), "dims {} must rise and stay below {}",
              Bracketed(dims), shape.rank());
      previous = dims[i];
      const int64_t from = x[0].shape[static_cast<int>(i)];
      const int64_t to = shape[static_cast<int>(dims[i])];
      Require(from == to || from == 1, "dimension {} of size {} does not stretch to {}", i, from, to);
    }
    return {{x[0].dtype, shape}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.broadcast_in_dim", node, {{"broadcast_dimensions", I64Array(dims)}});
  }
  // Sums over what was repeated.
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Shape& from = node.operands[0].shape();
    Ints summed;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      const auto found = std::ranges::find(dims, axis);
      const bool is_new = found == dims.end();
      if (is_new || from[static_cast<int>(found - dims.begin())] != shape[axis]) summed.push_back(axis);
    }
    return {Reshape(Sum(dy[0], summed), from)};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    std::vector<int64_t> batched_shape = shape.dims();
    batched_shape.insert(batched_shape.begin(), size);
    return {BroadcastInDim(x[0].value, Shape(batched_shape), WithBatchDim(dims))};
  }
};

struct ReshapeOp final : OpOf<ReshapeOp> {
  static constexpr std::string_view kName = "reshape";
  Shape shape;

  void Attributes(AttributeVisitor& v) override { v.Visit("shape", shape); }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    Require(shape.ElementCount() == x[0].shape.ElementCount(), "{} elements do not fit into {}",
            x[0].shape.ElementCount(), shape.ToString());
    return {{x[0].dtype, shape}};
  }
  void Emit(const Node& node, Emitter& e) const override { e.Op("stablehlo.reshape", node); }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    return {Reshape(dy[0], node.operands[0].shape())};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    Ints batched = shape.dims();
    batched.insert(batched.begin(), size);
    return {Reshape(x[0].value, batched)};
  }
};

struct TransposeOp final : OpOf<TransposeOp> {
  static constexpr std::string_view kName = "transpose";
  Ints permutation;

  void Attributes(AttributeVisitor& v) override { v.Visit("permutation", permutation); }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    Ints sorted = permutation;
    std::ranges::sort(sorted);
    bool valid = static_cast<int>(sorted.size()) == x[0].shape.rank();
    for (size_t i = 0; i < sorted.size(); ++i) valid &= sorted[i] == static_cast<int64_t>(i);
    Require(valid, "{} is not a permutation of the {} dimensions", Bracketed(permutation), x[0].shape.rank());
    std::vector<int64_t> dims;
    for (int64_t axis : permutation) dims.push_back(x[0].shape[static_cast<int>(axis)]);
    return {{x[0].dtype, Shape(dims)}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.transpose", node, {{"permutation", I64Array(permutation)}});
  }
  Values Gradient(const Node&, std::span<const Value> dy) const override {
    Ints inverse(permutation.size());
    for (size_t i = 0; i < permutation.size(); ++i)
      inverse[static_cast<size_t>(permutation[i])] = static_cast<int64_t>(i);
    return {Transpose(dy[0], inverse)};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {Transpose(x[0].value, WithBatchDim(permutation))};
  }
};

}  // namespace

std::vector<OpEntry> ShapeOps() { return EntriesOf<BroadcastInDimOp, ReshapeOp, TransposeOp>(); }

Value BroadcastInDim(Value x, Shape shape, Ints dims) {
  if (x.shape() == shape) return x;
  BroadcastInDimOp op;
  op.shape = std::move(shape);
  op.dims = std::move(dims);
  return Apply(op, {x});
}

Value BroadcastTo(Value x, const Shape& shape) {
  if (x.shape() == shape) return x;
  Require(x.rank() <= shape.rank(), "broadcast: {} does not stretch to {}", x.type().ToString(),
          shape.ToString());
  Ints dims;
  for (int axis = 0; axis < x.rank(); ++axis) dims.push_back(shape.rank() - x.rank() + axis);
  return BroadcastInDim(x, shape, std::move(dims));
}

Value Reshape(Value x, Ints dims) {
  const auto unknown = std::ranges::find(dims, -1);
  if (unknown != dims.end()) {
    int64_t known = 1;
    for (int64_t dim : dims) known *= dim < 0 ? 1 : dim;
    Require(std::ranges::count(dims, -1) == 1 && known > 0 && x.shape().ElementCount() % known == 0,
            "reshape: {} does not fit into {}", x.type().ToString(), Bracketed(dims));
    *unknown = x.shape().ElementCount() / known;
  }
  const Shape shape(std::move(dims));
  if (x.shape() == shape) return x;
  ReshapeOp op;
  op.shape = shape;
  return Apply(op, {x});
}

Value Transpose(Value x, Ints permutation) {
  Ints identity;
  for (int64_t axis = 0; axis < x.rank(); ++axis) identity.push_back(axis);
  if (permutation == identity) return x;
  TransposeOp op;
  op.permutation = std::move(permutation);
  return Apply(op, {x});
}

std::optional<Value> FoldedIntoOperand(const Op& op, Value x) {
  if (const auto* reshape = dynamic_cast<const ReshapeOp*>(&op)) {
    while (x.node().op && x.node().op->name() == ReshapeOp::kName) x = x.node().operands[0];
    return Reshape(x, reshape->shape);
  }
  if (const auto* transpose = dynamic_cast<const TransposeOp*>(&op)) {
    Ints permutation = transpose->permutation;
    // Dimension i is dimension inner[permutation[i]] of what the inner one takes.
    while (const auto* inner = dynamic_cast<const TransposeOp*>(x.node().op.get())) {
      for (int64_t& axis : permutation) axis = inner->permutation[static_cast<size_t>(axis)];
      x = x.node().operands[0];
    }
    return Transpose(x, std::move(permutation));
  }
  return std::nullopt;
}

Value ExpandDims(Value x, int axis) {
  Ints dims = x.shape().dims();
  dims.insert(dims.begin() + (axis < 0 ? axis + x.rank() + 1 : axis), 1);
  return Reshape(x, dims);
}

}  // namespace headrace
