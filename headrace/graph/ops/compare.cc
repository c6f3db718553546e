#include "headrace/graph/ops/compare.h"

#include <array>
#include <limits>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/element_function.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

constexpr std::array<std::string_view, 6> kComparisonNames = {"EQ", "NE", "LT", "LE", "GT", "GE"};

struct CompareOp final : OpOf<CompareOp> {
  static constexpr std::string_view kName = "compare";
  Comparison direction = Comparison::kEq;

  void Attributes(AttributeVisitor& v) override { v.Visit("direction", direction, kComparisonNames); }
  int Arity() const override { return 2; }
  Types Infer(TypeSpan x) const override {
    Require(x[0].dtype == x[1].dtype, "element types differ; convert one of them");
    Require(x[0].shape == x[1].shape, "shapes differ");
    Require(!IsComplex(x[0].dtype) || direction == Comparison::kEq || direction == Comparison::kNe,
            "complex numbers have no order; compare their Real, Imag or Abs");
    return {{DType::kPred, x[0].shape}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    const DType dtype = node.operands[0].dtype();
    const std::string_view kind = IsFloat(dtype) || IsComplex(dtype) ? "FLOAT"
                                  : IsSigned(dtype)                  ? "SIGNED"
                                                                     : "UNSIGNED";
    e.Op("stablehlo.compare", node,
         {{"comparison_direction", fmt::format("#stablehlo<comparison_direction {}>",
                                               kComparisonNames[static_cast<size_t>(direction)])},
          {"compare_type", fmt::format("#stablehlo<comparison_type {}>", kind)}});
  }
  Values Gradient(const Node&, std::span<const Value>) const override { return {Value(), Value()}; }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    return {headrace::Apply(*this, BroadcastBatch(x, size))};
  }
};

struct IsFiniteOp final : OpOf<IsFiniteOp> {
  static constexpr std::string_view kName = "is_finite";
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    Require(IsFloat(x[0].dtype), "takes floating-point");
    return {{DType::kPred, x[0].shape}};
  }
  void Emit(const Node& node, Emitter& e) const override { e.Op("stablehlo.is_finite", node); }
  Values Gradient(const Node&, std::span<const Value>) const override { return {Value()}; }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {headrace::Apply(*this, {x[0].value})};
  }
};

struct SelectOp final : OpOf<SelectOp> {
  static constexpr std::string_view kName = "select";
  int Arity() const override { return 3; }
  Types Infer(TypeSpan x) const override {
    Require(x[0].dtype == DType::kPred, "the condition must be pred");
    Require(x[1] == x[2], "the two branches differ in type");
    Require(x[0].shape == x[1].shape, "the condition's shape differs from the branches'");
    return {x[1]};
  }
  void Emit(const Node& node, Emitter& e) const override { e.Op("stablehlo.select", node); }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value condition = node.operands[0];
    const Value zeros = ZerosLike(dy[0]);
    return {Value(), Select(condition, dy[0], zeros), Select(condition, zeros, dy[0])};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    return {headrace::Apply(*this, BroadcastBatch(x, size))};
  }
};

struct ClampOp final : OpOf<ClampOp> {
  static constexpr std::string_view kName = "clamp";
  int Arity() const override { return 3; }
  Types Infer(TypeSpan x) const override {
    RequireElements(kReals, x);
    return {x[1]};
  }
  void Emit(const Node& node, Emitter& e) const override { e.Op("stablehlo.clamp", node); }
  // At a bound nothing goes to anyone, as in JAX.
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value low = node.operands[0], x = node.operands[1], high = node.operands[2];
    const Value none = ZerosLike(dy[0]);
    return {Select(And(Greater(low, x), Less(low, high)), dy[0], none),
            Select(And(Greater(x, low), Less(x, high)), dy[0], none), Select(Less(high, x), dy[0], none)};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    return {headrace::Apply(*this, BroadcastBatch(x, size))};
  }
};

}  // namespace

std::vector<OpEntry> CompareOps() { return EntriesOf<CompareOp, IsFiniteOp, SelectOp, ClampOp>(); }

Value Compare(Value a, Value b, Comparison direction) {
  CompareOp op;
  op.direction = direction;
  return Apply(op, BroadcastTogether({a, b}));
}

Value IsFinite(Value x) { return Apply(IsFiniteOp(), {x}); }

Value IsNaN(Value x) { return NotEqual(x, x); }

Value IsInf(Value x) {
  const double infinity = std::numeric_limits<double>::infinity();
  return Equal(Abs(x), Scalar(x.graph(), x.dtype(), infinity));
}

Value Clamp(Value low, Value x, Value high) { return Apply(ClampOp(), BroadcastTogether({low, x, high})); }

Value Clip(Value x, double low, double high) {
  return Clamp(Scalar(x.graph(), x.dtype(), low), x, Scalar(x.graph(), x.dtype(), high));
}

Value Select(Value condition, Value on_true, Value on_false) {
  return Apply(SelectOp(), BroadcastTogether({condition, on_true, on_false}));
}

}  // namespace headrace
