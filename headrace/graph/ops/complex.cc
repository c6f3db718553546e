#include "headrace/graph/ops/complex.h"

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

struct ComplexOp final : OpOf<ComplexOp> {
  static constexpr std::string_view kName = "complex";
  int Arity() const override { return 2; }
  Types Infer(TypeSpan x) const override {
    Require(x[0] == x[1], "the two parts differ in type");
    Require(x[0].dtype == DType::kF32 || x[0].dtype == DType::kF64, "parts are f32 or f64");
    return {{ComplexOf(x[0].dtype), x[0].shape}};
  }
  void Emit(const Node& node, Emitter& e) const override { e.Op("stablehlo.complex", node); }
  Values Gradient(const Node&, std::span<const Value> dy) const override {
    return {Real(dy[0]), -Imag(dy[0])};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    return {headrace::Apply(*this, BroadcastBatch(x, size))};
  }
};

// One of the two parts.
template <class Derived>
struct PartOp : OpOf<Derived> {
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    Require(IsComplex(x[0].dtype), "takes complex");
    return {{PartOf(x[0].dtype), x[0].shape}};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {headrace::Apply(static_cast<const Derived&>(*this), {x[0].value})};
  }
};

struct RealOp final : PartOp<RealOp> {
  static constexpr std::string_view kName = "real";
  void Emit(const Node& node, Emitter& e) const override { e.Op("stablehlo.real", node); }
  Values Gradient(const Node&, std::span<const Value> dy) const override {
    return {Complex(dy[0], ZerosLike(dy[0]))};
  }
};

struct ImagOp final : PartOp<ImagOp> {
  static constexpr std::string_view kName = "imag";
  void Emit(const Node& node, Emitter& e) const override { e.Op("stablehlo.imag", node); }
  Values Gradient(const Node&, std::span<const Value> dy) const override {
    return {Complex(ZerosLike(dy[0]), -dy[0])};
  }
};

}  // namespace

std::vector<OpEntry> ComplexOps() { return EntriesOf<ComplexOp, RealOp, ImagOp>(); }

Value Complex(Value real, Value imag) { return Apply(ComplexOp(), BroadcastTogether({real, imag})); }

Value Real(Value x) { return IsComplex(x.dtype()) ? Apply(RealOp(), {x}) : x; }
Value Imag(Value x) { return IsComplex(x.dtype()) ? Apply(ImagOp(), {x}) : ZerosLike(x); }
Value Conj(Value x) {
  if (!IsComplex(x.dtype())) return x;
  const Value real = Real(x);
  return Complex(real, -Imag(x));
}
Value Angle(Value x) {
  const Value imag = Imag(x);
  return Atan2(imag, Real(x));
}

}  // namespace headrace
