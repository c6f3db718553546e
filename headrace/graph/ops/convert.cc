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
    // Powers of two have no zero and no sign: nothing comes back to them.
    if (!IsInexact(dtype) || node.operands[0].dtype() == DType::kF8E8M0FNU) return {Value()};
    return {Convert(dy[0], node.operands[0].dtype())};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {headrace::Apply(*this, {x[0].value})};
  }
};

struct ReducePrecisionOp final : OpOf<ReducePrecisionOp> {
  static constexpr std::string_view kName = "reduce_precision";
  int64_t exponent_bits = 8;
  int64_t mantissa_bits = 7;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("exponent_bits", exponent_bits);
    v.Visit("mantissa_bits", mantissa_bits);
  }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    Require(IsFloat(x[0].dtype), "takes floating-point");
    Require(exponent_bits >= 1 && mantissa_bits >= 0, "no float has {} bits of exponent and {} of mantissa",
            exponent_bits, mantissa_bits);
    return {x[0]};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.reduce_precision", node,
         {{"exponent_bits", fmt::format("{} : i32", exponent_bits)},
          {"mantissa_bits", fmt::format("{} : i32", mantissa_bits)}});
  }
  // Cotangents lose what values lose.
  Values Gradient(const Node&, std::span<const Value> dy) const override {
    return {headrace::Apply(*this, {dy[0]})};
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
    const int from = BitWidth(x[0].dtype), to = BitWidth(dtype);
    std::vector<int64_t> dims = x[0].shape.dims();
    if (from > to) dims.push_back(from / to);
    if (from < to) {
      Require(!dims.empty() && dims.back() == to / from,
              "the last dimension must have {} elements, for one {} each", to / from, Name(dtype));
      dims.pop_back();
    }
    return {{dtype, Shape(dims)}};
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

std::vector<OpEntry> ConvertOps() {
  return EntriesOf<ConvertOp, ReducePrecisionOp, BitcastConvertOp, StopGradientOp>();
}

Value Convert(Value x, DType dtype) {
  if (x.dtype() == dtype) return x;
  ConvertOp op;
  op.dtype = dtype;
  return Apply(op, {x});
}

Value ReducePrecision(Value x, int64_t exponent_bits, int64_t mantissa_bits) {
  ReducePrecisionOp op;
  op.exponent_bits = exponent_bits;
  op.mantissa_bits = mantissa_bits;
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
