#include "headrace/graph/ops/special.h"

#include <utility>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/element_function.h"

namespace headrace {
namespace {

// 2 / sqrt(pi)
constexpr double kErfSlope = 1.1283791670955126;

constexpr UnaryRow kUnary[] = {
    {"erf", "chlo.erf", kFloats, [](Value x, Value) { return kErfSlope * Exp(-(x * x)); }},
    {"erfc", "chlo.erfc", kFloats, [](Value x, Value) { return -kErfSlope * Exp(-(x * x)); }},
    {"erf_inv", "chlo.erf_inv", kFloats, [](Value, Value y) { return Exp(y * y) / kErfSlope; }},
    {"lgamma", "chlo.lgamma", kFloats, [](Value x, Value) { return Digamma(x); }},
    {"digamma", "chlo.digamma", kFloats, [](Value x, Value) { return Polygamma(OnesLike(x), x); }},
    {"bessel_i1e", "chlo.bessel_i1e", kFloats,
     [](Value x, Value y) {
       // y / x is 1/2 at 0.
       const Value is_zero = Equal(x, ZerosLike(x));
       const Value ratio = Select(is_zero, FullLike(x, 0.5), y / Select(is_zero, OnesLike(x), x));
       return BesselI0e(x) - y * Sign(x) - ratio;
     }},
};

// f(a, x), of which the slope in x alone is known.
struct OfSecondRow {
  std::string_view name;
  std::string_view mlir;
  Value (*derivative)(Value a, Value x);
};

constexpr OfSecondRow kOfSecond[] = {
    {"polygamma", "chlo.polygamma", [](Value m, Value x) { return Polygamma(m + 1.0, x); }},
    {"zeta", "chlo.zeta", [](Value s, Value q) { return -s * Zeta(s + 1.0, q); }},
};

struct OfSecondOp final : Op {
  explicit OfSecondOp(const OfSecondRow& row) : row(&row) {}
  const OfSecondRow* row;

  std::string_view name() const override { return row->name; }
  int Arity() const override { return 2; }
  Types Infer(TypeSpan x) const override {
    RequireElements(kFloats, x);
    return {x[0]};
  }
  void Emit(const Node& node, Emitter& e) const override { e.Op(row->mlir, node); }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    return WantedGradient(node, dy, {true, true});
  }
  Values WantedGradient(const Node& node, std::span<const Value> dy,
                        const std::vector<bool>& wanted) const override {
    if (wanted[0]) {
      throw GraphError(
          node.scope,
          fmt::format("{}: has no gradient in its first operand; stop the gradient before it", row->name));
    }
    return {Value(), dy[0] * row->derivative(node.operands[0], node.operands[1])};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    return {headrace::Apply(*this, BroadcastBatch(x, size))};
  }
};

Value OfSecond(const OfSecondRow& row, Value a, Value x) {
  return Apply(OfSecondOp(row), BroadcastTogether({a, x}));
}

// Chebyshev coefficients of e^-x I0(x) in x / 4 - 1, for x up to 8, and of sqrt(x) e^-x I0(x) in 16 / x - 1,
// beyond.
constexpr double kBelow8[] = {
    0.33839763720473803,    -0.30468267234319835,    0.17162090152220871,    -0.094901097048047584,
    0.049305284239670628,   -0.023737414805899422,   0.010546460394594944,   -0.0043243099950504987,
    0.0016394756169412564,  -0.00057637557453875388, 0.00018850288509569824, -5.7541950100548078e-05,
    1.6448448070777166e-05, -4.4167383587145892e-06, 1.1173875390652066e-06, -2.6707938510783791e-07,
    6.0469949964003789e-08, -1.3000250237427124e-08, 2.6598238472841373e-09, -5.1897941499845501e-10,
    9.6758115408768219e-11, -1.7268068919218393e-11, 2.9547544966312955e-12, -4.8539297581307039e-13,
    7.6601919252183848e-14, -1.1868978022633314e-14, 2.050443148604586e-15,  -4.5796699765787707e-16};
constexpr double kFrom8[] = {
    0.40224520550705439,     0.0033691164782557181,   6.8897583469154991e-05,  2.8913705208757912e-06,
    2.0489185891588851e-07,  2.266668987921383e-08,   3.3962320100319743e-09,  4.9406025104392626e-10,
    1.188912033059375e-11,   -3.1499303165816173e-11, -1.3215868070043379e-11, -1.7940648966430217e-12,
    7.1805669049629373e-13,  3.8512248945465899e-13,  1.5340810219366396e-14,  -4.1411318818518339e-14,
    -9.7144514654701197e-15, 3.7747582837255322e-15,  1.8383732036664213e-15,  -2.8449465006019636e-16};

Value Chebyshev(std::span<const double> coefficients, Value t) {  // Clenshaw's recurrence
  Value last = FullLike(t, coefficients.back());
  Value before = ZerosLike(t);
  const Value twice = t + t;
  for (size_t i = coefficients.size() - 1; i-- > 1;) {
    const Value next = twice * last - before + coefficients[i];
    before = std::exchange(last, next);
  }
  return t * last - before + coefficients[0];
}

// XLA has the function of order 1 only.
struct BesselI0eOp final : OpOf<BesselI0eOp> {
  static constexpr std::string_view kName = "bessel_i0e";
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    RequireElements(kFloats, x);
    return {x[0]};
  }
  void Emit(const Node& node, Emitter& e) const override {
    const Types types = TypesOf(node.operands);
    e.Expand(node, Trace("bessel_i0e", types, [](std::span<const Value> v) {
               const DType wide = v[0].dtype() == DType::kF64 ? DType::kF64 : DType::kF32;
               const Value x = Abs(Convert(v[0], wide));
               const Value small = Chebyshev(kBelow8, Minimum(x, 8.0) * 0.25 - 1.0);
               const Value large = Maximum(x, 8.0);
               const Value root = Rsqrt(large);
               const Value tail = Chebyshev(kFrom8, 16.0 / large - 1.0) * root;
               const Value is_small = LessEqual(x, FullLike(x, 8));
               return Values{Convert(Select(is_small, small, tail), v[0].dtype())};
             }));
  }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value x = node.operands[0];
    return {dy[0] * (BesselI1e(x) - Sign(x) * node.result())};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {headrace::Apply(*this, {x[0].value})};
  }
};

}  // namespace

std::vector<OpEntry> SpecialOps() {
  auto entries = EntriesOf(kUnary);
  for (const OfSecondRow& row : kOfSecond)
    entries.push_back({row.name, [&row] { return std::make_unique<OfSecondOp>(row); }});
  entries.push_back(EntriesOf<BesselI0eOp>()[0]);
  return entries;
}

Value Erf(Value x) { return ApplyRow(kUnary, "erf", x); }
Value Erfc(Value x) { return ApplyRow(kUnary, "erfc", x); }
Value ErfInv(Value x) { return ApplyRow(kUnary, "erf_inv", x); }
Value Lgamma(Value x) { return ApplyRow(kUnary, "lgamma", x); }
Value Digamma(Value x) { return ApplyRow(kUnary, "digamma", x); }
Value Polygamma(Value m, Value x) { return OfSecond(kOfSecond[0], m, x); }
Value Zeta(Value s, Value q) { return OfSecond(kOfSecond[1], s, q); }
Value BesselI0e(Value x) { return Apply(BesselI0eOp(), {x}); }
Value BesselI1e(Value x) { return ApplyRow(kUnary, "bessel_i1e", x); }

}  // namespace headrace
