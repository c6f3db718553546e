#include "headrace/graph/ops/constant.h"

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

// Ops without operands are never batched.
Values NeverBatched() {
  HR_CHECK(false);
  return {};
}

struct ConstantOp final : OpOf<ConstantOp> {
  static constexpr std::string_view kName = "constant";
  HostTensor value;

  void Attributes(AttributeVisitor& v) override { v.Visit("value", value); }
  int Arity() const override { return 0; }
  Types Infer(TypeSpan) const override { return {value.type()}; }
  void Emit(const Node& node, Emitter& e) const override {
    e.Line(node, fmt::format("stablehlo.constant {}", DenseElements(value)));
  }
  Values Gradient(const Node&, std::span<const Value>) const override { return {}; }
  Values Batch(std::span<const BatchOperand>, int64_t) const override { return NeverBatched(); }
};

struct IotaOp final : OpOf<IotaOp> {
  static constexpr std::string_view kName = "iota";
  DType dtype = DType::kI32;
  Shape shape;
  int64_t dimension = 0;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("dtype", dtype);
    v.Visit("shape", shape);
    v.Visit("dimension", dimension);
  }
  int Arity() const override { return 0; }
  Types Infer(TypeSpan) const override {
    Require(dtype != DType::kPred, "counts in numbers, not pred");
    Require(dimension >= 0 && dimension < shape.rank(), "dimension {} is not one of {}", dimension,
            shape.ToString());
    return {{dtype, shape}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Line(node, fmt::format("stablehlo.iota dim = {} : {}", dimension, node.types[0].ToMlir()));
  }
  Values Gradient(const Node&, std::span<const Value>) const override { return {}; }
  Values Batch(std::span<const BatchOperand>, int64_t) const override { return NeverBatched(); }
};

}  // namespace

std::vector<OpEntry> ConstantOps() { return EntriesOf<ConstantOp, IotaOp>(); }

Value Constant(Graph& graph, HostTensor tensor) {
  auto op = std::make_shared<ConstantOp>();
  op->value = std::move(tensor);
  return graph.Apply(std::move(op), {}).at(0);
}

Value Scalar(Graph& graph, DType dtype, double value) {
  HostTensor scalar({dtype, {}});
  scalar.Set(0, value);
  return Constant(graph, std::move(scalar));
}

Value Full(Graph& graph, const TensorType& type, double value) {
  return BroadcastTo(Scalar(graph, type.dtype, value), type.shape);
}

Value FullLike(Value x, double value) { return Full(x.graph(), x.type(), value); }

Value Iota(Graph& graph, const TensorType& type, int axis) {
  auto op = std::make_shared<IotaOp>();
  op->dtype = type.dtype;
  op->shape = type.shape;
  op->dimension = axis < 0 ? axis + type.shape.rank() : axis;
  return graph.Apply(std::move(op), {}).at(0);
}

}  // namespace headrace
