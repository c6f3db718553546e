#include "headrace/graph/ops/elementwise.h"

#include <algorithm>
#include <numbers>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/element_function.h"

namespace headrace {
namespace {

constexpr UnaryRow kUnary[] = {
    {"exp", "stablehlo.exponential", kInexact, [](Value, Value y) { return y; }},
    {"expm1", "stablehlo.exponential_minus_one", kInexact, [](Value, Value y) { return y + 1.0; }},
    {"log", "stablehlo.log", kInexact, [](Value x, Value) { return 1.0 / x; }},
    {"log1p", "stablehlo.log_plus_one", kInexact, [](Value x, Value) { return 1.0 / (x + 1.0); }},
    {"logistic", "stablehlo.logistic", kInexact, [](Value, Value y) { return y * (1.0 - y); }},
    {"sqrt", "stablehlo.sqrt", kInexact, [](Value, Value y) { return 0.5 / y; }},
    {"rsqrt", "stablehlo.rsqrt", kInexact, [](Value x, Value y) { return -0.5 * y / x; }},
    {"cbrt", "stablehlo.cbrt", kFloats, [](Value x, Value y) { return y / (3.0 * x); }},
    {"floor", "stablehlo.floor", kFloats, nullptr},
    {"ceil", "stablehlo.ceil", kFloats, nullptr},
    {"round_nearest_even", "stablehlo.round_nearest_even", kFloats, nullptr},
    {"round_nearest_afz", "stablehlo.round_nearest_afz", kFloats, nullptr},
    {"negate", "stablehlo.negate", kNumbers, [](Value x, Value) { return FullLike(x, -1); }},
    {"sign", "stablehlo.sign", kReals, nullptr},
};

// Of complex numbers the distance from 0, which is real.
struct AbsOp final : OpOf<AbsOp> {
  static constexpr std::string_view kName = "abs";
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    Require(x[0].dtype != DType::kPred, "takes numbers");
    return {{PartOf(x[0].dtype), x[0].shape}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    if (!IsComplex(node.operands[0].dtype())) return e.Elementwise("stablehlo.abs", node);
    e.Op("stablehlo.abs", node);
  }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value x = node.operands[0];
    const Value y = node.result();
    if (!IsComplex(x.dtype())) return {dy[0] * Sign(x)};
    const Value scale = dy[0] / Select(Equal(y, ZerosLike(y)), OnesLike(y), y);  // 0 at 0
    return {Complex(scale * Real(x), -(scale * Imag(x)))};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {headrace::Apply(*this, {x[0].value})};
  }
};

// Ties share the gradient, as in JAX.
Value TieShare(Value a, Value b, Comparison wins) {
  return Select(Equal(a, b), FullLike(a, 0.5), Convert(Compare(a, b, wins), a.dtype()));
}

constexpr BinaryRow kBinary[] = {
    {"add", "stablehlo.add", kNumbers, [](Value, Value, Value, Value dy) { return std::array{dy, dy}; }},
    {"subtract", "stablehlo.subtract", kNumbers,
     [](Value, Value, Value, Value dy) { return std::array{dy, -dy}; }},
    {"multiply", "stablehlo.multiply", kNumbers,
     [](Value a, Value b, Value, Value dy) { return std::array{dy * b, dy * a}; }},
    {"divide", "stablehlo.divide", kNumbers,
     [](Value, Value b, Value y, Value dy) { return std::array{dy / b, -(dy * y) / b}; }},
    {"remainder", "stablehlo.remainder", kReals,
     [](Value a, Value b, Value, Value dy) {
       const Value quotient = a / b;
       return std::array{dy, -(dy * Sign(quotient) * Floor(Abs(quotient)))};
     }},
    {"maximum", "stablehlo.maximum", kReals | kPreds,
     [](Value a, Value b, Value, Value dy) {
       return std::array{dy * TieShare(a, b, Comparison::kGt), dy * TieShare(b, a, Comparison::kGt)};
     }},
    {"minimum", "stablehlo.minimum", kReals | kPreds,
     [](Value a, Value b, Value, Value dy) {
       return std::array{dy * TieShare(a, b, Comparison::kLt), dy * TieShare(b, a, Comparison::kLt)};
     }},
    {"power", "stablehlo.power", kNumbers,
     [](Value a, Value b, Value y, Value dy) {
       // b = 0 has slope 0 everywhere, and a = 0 must not make log infinite.
       const Value no_slope = Equal(b, ZerosLike(b));
       const Value slope = Select(no_slope, ZerosLike(a), b * Pow(a, Select(no_slope, OnesLike(b), b - 1.0)));
       const Value safe = Select(Equal(a, ZerosLike(a)), OnesLike(a), a);
       return std::array{dy * slope, dy * y * Log(safe)};
     }},
    {"next_after", "chlo.next_after", kFloats, nullptr},
};

}  // namespace

std::vector<OpEntry> ElementwiseOps() {
  std::vector<OpEntry> entries = EntriesOf(kUnary, kBinary);
  entries.push_back(EntriesOf<AbsOp>().at(0));
  return entries;
}

Value Exp(Value x) { return ApplyRow(kUnary, "exp", x); }
Value Expm1(Value x) { return ApplyRow(kUnary, "expm1", x); }
Value Log(Value x) { return ApplyRow(kUnary, "log", x); }
Value Log1p(Value x) { return ApplyRow(kUnary, "log1p", x); }
Value Logistic(Value x) { return ApplyRow(kUnary, "logistic", x); }
Value Sqrt(Value x) { return ApplyRow(kUnary, "sqrt", x); }
Value Rsqrt(Value x) { return ApplyRow(kUnary, "rsqrt", x); }
Value Cbrt(Value x) { return ApplyRow(kUnary, "cbrt", x); }
Value Floor(Value x) { return ApplyRow(kUnary, "floor", x); }
Value Ceil(Value x) { return ApplyRow(kUnary, "ceil", x); }
Value Round(Value x) { return ApplyRow(kUnary, "round_nearest_even", x); }
Value RoundHalfAway(Value x) { return ApplyRow(kUnary, "round_nearest_afz", x); }
Value Neg(Value x) { return ApplyRow(kUnary, "negate", x); }
Value Abs(Value x) { return Apply(AbsOp(), {x}); }
Value Sign(Value x) { return ApplyRow(kUnary, "sign", x); }

Value Add(Value a, Value b) { return ApplyRow(kBinary, "add", a, b); }
Value Sub(Value a, Value b) { return ApplyRow(kBinary, "subtract", a, b); }
Value Mul(Value a, Value b) { return ApplyRow(kBinary, "multiply", a, b); }
Value Div(Value a, Value b) { return ApplyRow(kBinary, "divide", a, b); }
Value Rem(Value a, Value b) { return ApplyRow(kBinary, "remainder", a, b); }
Value Maximum(Value a, Value b) { return ApplyRow(kBinary, "maximum", a, b); }
Value Minimum(Value a, Value b) { return ApplyRow(kBinary, "minimum", a, b); }
Value Pow(Value a, Value b) { return ApplyRow(kBinary, "power", a, b); }

Value NextAfter(Value a, Value b) { return ApplyRow(kBinary, "next_after", a, b); }

namespace {
Value Like(Value x, double number) { return Scalar(x.graph(), x.dtype(), number); }
}  // namespace

Value operator+(Value a, double b) { return Add(a, Like(a, b)); }
Value operator+(double a, Value b) { return Add(Like(b, a), b); }
Value operator-(Value a, double b) { return Sub(a, Like(a, b)); }
Value operator-(double a, Value b) { return Sub(Like(b, a), b); }
Value operator*(Value a, double b) { return Mul(a, Like(a, b)); }
Value operator*(double a, Value b) { return Mul(Like(b, a), b); }
Value operator/(Value a, double b) { return Div(a, Like(a, b)); }
Value operator/(double a, Value b) { return Div(Like(b, a), b); }
Value Maximum(Value a, double b) { return Maximum(a, Like(a, b)); }
Value Minimum(Value a, double b) { return Minimum(a, Like(a, b)); }
Value Pow(Value a, double b) { return Pow(a, Like(a, b)); }

Value Square(Value x) { return x * x; }
Value Reciprocal(Value x) { return 1.0 / x; }
Value Trunc(Value x) { return Select(Less(x, Like(x, 0)), Ceil(x), Floor(x)); }
Value Exp2(Value x) { return Exp(x * std::numbers::ln2); }
Value Log2(Value x) { return Log(x) / std::numbers::ln2; }
Value Log10(Value x) { return Log(x) / std::numbers::ln10; }

Value FloorDiv(Value a, Value b) {
  const Values both = BroadcastTogether({a, b});
  if (IsFloat(a.dtype())) return Floor((both[0] - Mod(both[0], both[1])) / both[1] + 0.5);
  const Value quotient = both[0] / both[1];
  if (IsUnsigned(a.dtype())) return quotient;
  const Value rest = both[0] - quotient * both[1];
  const Value below = And(NotEqual(rest, Like(rest, 0)), NotEqual(Sign(rest), Sign(both[1])));
  return quotient - Convert(below, a.dtype());
}

Value Mod(Value a, Value b) {
  const Values both = BroadcastTogether({a, b});
  const Value rest = Rem(both[0], both[1]);
  if (IsUnsigned(a.dtype())) return rest;
  const Value zero = Like(rest, 0);
  const Value turned = NotEqual(Less(rest, zero), Less(both[1], zero));
  return Select(And(turned, NotEqual(rest, zero)), rest + both[1], rest);
}

Value LogAddExp(Value a, Value b) {
  // The difference of equal infinities is NaN, so it is left out before anything is made of it.
  const Value equal = Equal(a, b);
  const Value difference = Select(equal, Like(a, 0), a - b);
  return Maximum(a, b) + Log1p(Exp(-Abs(difference)));
}

Values BroadcastTogether(Values values) {
  int rank = 0;
  for (Value value : values) rank = std::max(rank, value.rank());
  std::vector<int64_t> dims(static_cast<size_t>(rank), 1);
  for (Value value : values) {
    for (int axis = 0; axis < value.rank(); ++axis) {
      int64_t& dim = dims[static_cast<size_t>(rank - value.rank() + axis)];
      if (dim == 1) dim = value.dim(axis);
      if (value.dim(axis) != dim && value.dim(axis) != 1) {
        std::string shapes;
        for (Value each : values) shapes += (shapes.empty() ? "" : ", ") + each.type().ToString();
        throw GraphError(value.graph().scope(), fmt::format("shapes do not broadcast together: {}", shapes));
      }
    }
  }
  const Shape shape(dims);
  for (Value& value : values) value = BroadcastTo(value, shape);
  return values;
}

}  // namespace headrace
