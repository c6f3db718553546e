#include "headrace/graph/ops/convert.h"

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

struct ConvertOp final : OpOf<ConvertOp> {
  static constexpr std::string_view kName = "convert";
  DType dtype = DType::kF32;

  void Attributes(AttributeVisitor& v) override { v.Visit("dtype", dtype); }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override { return {{dtype, x[0].shape}}; }
  void Emit(const Node& node, Emitter& e) const override { e.Op("stablehlo.convert", node); }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    if (!IsFloat(dtype)) return {Value()};
    return {Convert(dy[0], node.operands[0].dtype())};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {headrace::Apply(*this, {x[0].value})};
  }
};

struct BitcastConvertOp final : OpOf<BitcastConvertOp> {
  static constexpr std::string_view kName = "bitcast_convert";
  DType dtype = DType::kU32;

  void Attributes(AttributeVisitor& v) override { v.Visit("dtype", dtype); }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    Require(x[0].dtype != DType::kPred && dtype != DType::kPred, "pred has no bits to reinterpret");
    Require(ByteSize(x[0].dtype) == ByteSize(dtype), "elements of {} bytes are not those of {}, of {} bytes",
            ByteSize(x[0].dtype), Name(dtype), ByteSize(dtype));
    return {{dtype, x[0].shape}};
  }
  void Emit(const Node& node, Emitter& e) const override { e.Op("stablehlo.bitcast_convert", node); }
  // Bits do not vary smoothly.
  Values Gradient(const Node&, std::span<const Value>) const override { return {Value()}; }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {headrace::Apply(*this, {x[0].value})};
  }
};

struct StopGradientOp final : OpOf<StopGradientOp> {
  static constexpr std::string_view kName = "stop_gradient";
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override { return {x[0]}; }
  void Emit(const Node& node, Emitter& e) const override { e.Alias(node, node.operands[0]); }
  Values Gradient(const Node&, std::span<const Value>) const override { return {Value()}; }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {headrace::Apply(*this, {x[0].value})};
  }
};

}  // namespace

std::vector<OpEntry> ConvertOps() { return EntriesOf<ConvertOp, BitcastConvertOp, StopGradientOp>(); }

Value Convert(Value x, DType dtype) {
  if (x.dtype() == dtype) return x;
  ConvertOp op;
  op.dtype = dtype;
  return Apply(op, {x});
}

Value BitcastConvert(Value x, DType dtype) {
  if (x.dtype() == dtype) return x;
  BitcastConvertOp op;
  op.dtype = dtype;
  return Apply(op, {x});
}

Value StopGradient(Value x) { return Apply(StopGradientOp(), {x}); }

}  // namespace headrace
