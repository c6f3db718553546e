#include "headrace/graph/ops/elementwise.h"

#include <algorithm>
#include <array>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

// Which element types an op takes.
enum Kinds : unsigned {
  kFloats = 1,
  kInts = 2,
  kPreds = 4,
  kNumbers = kFloats | kInts,
  kBits = kInts | kPreds
};

bool Accepts(unsigned kinds, DType dtype) {
  if (IsFloat(dtype)) return kinds & kFloats;
  if (IsInteger(dtype)) return kinds & kInts;
  return dtype == DType::kPred && (kinds & kPreds);
}

std::string_view KindNames(unsigned kinds) {
  switch (kinds) {
    case kFloats:
      return "floating-point";
    case kInts:
      return "integers";
    case kNumbers:
      return "numbers";
    case kBits:
      return "integers or pred";
    default:
      return "numbers or pred";
  }
}

// ---- one operand ----

struct UnaryRow {
  std::string_view name;
  std::string_view mlir;
  unsigned kinds;
  Value (*derivative)(Value x, Value y);  // dy/dx at y = f(x); null where it is zero or there is none
};

// 2 / sqrt(pi)
constexpr double kErfSlope = 1.1283791670955126;

constexpr UnaryRow kUnary[] = {
    {"exp", "stablehlo.exponential", kFloats, [](Value, Value y) { return y; }},
    {"expm1", "stablehlo.exponential_minus_one", kFloats, [](Value, Value y) { return y + 1.0; }},
    {"log", "stablehlo.log", kFloats, [](Value x, Value) { return 1.0 / x; }},
    {"log1p", "stablehlo.log_plus_one", kFloats, [](Value x, Value) { return 1.0 / (x + 1.0); }},
    {"tanh", "stablehlo.tanh", kFloats, [](Value, Value y) { return 1.0 - y * y; }},
    {"logistic", "stablehlo.logistic", kFloats, [](Value, Value y) { return y * (1.0 - y); }},
    {"sqrt", "stablehlo.sqrt", kFloats, [](Value, Value y) { return 0.5 / y; }},
    {"rsqrt", "stablehlo.rsqrt", kFloats, [](Value x, Value y) { return -0.5 * y / x; }},
    {"cbrt", "stablehlo.cbrt", kFloats, [](Value x, Value y) { return y / (3.0 * x); }},
    {"sine", "stablehlo.sine", kFloats, [](Value x, Value) { return Cos(x); }},
    {"cosine", "stablehlo.cosine", kFloats, [](Value x, Value) { return -Sin(x); }},
    {"erf", "chlo.erf", kFloats, [](Value x, Value) { return kErfSlope * Exp(-(x * x)); }},
    {"erf_inv", "chlo.erf_inv", kFloats, [](Value, Value y) { return Exp(y * y) / kErfSlope; }},
    {"floor", "stablehlo.floor", kFloats, nullptr},
    {"ceil", "stablehlo.ceil", kFloats, nullptr},
    {"round_nearest_even", "stablehlo.round_nearest_even", kFloats, nullptr},
    {"negate", "stablehlo.negate", kNumbers, [](Value x, Value) { return FullLike(x, -1); }},
    {"abs", "stablehlo.abs", kNumbers, [](Value x, Value) { return Sign(x); }},
    {"sign", "stablehlo.sign", kNumbers, nullptr},
    {"not", "stablehlo.not", kBits, nullptr},
    {"popcnt", "stablehlo.popcnt", kInts, nullptr},
    {"count_leading_zeros", "stablehlo.count_leading_zeros", kInts, nullptr},
};

struct UnaryOp final : Op {
  explicit UnaryOp(const UnaryRow& row) : row(&row) {}
  const UnaryRow* row;

  std::string_view name() const override { return row->name; }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    Require(Accepts(row->kinds, x[0].dtype), "takes {}", KindNames(row->kinds));
    return {x[0]};
  }
  void Emit(const Node& node, Emitter& e) const override {
    if (row->mlir.starts_with("chlo.")) return e.Op(row->mlir, node);
    e.Elementwise(row->mlir, node);
  }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    if (!row->derivative) return {Value()};
    return {dy[0] * row->derivative(node.operands[0], node.result())};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {headrace::Apply(*this, {x[0].value})};
  }
};

Value Unary(std::string_view name, Value x) {
  const auto* row = std::ranges::find(kUnary, name, &UnaryRow::name);
  return Apply(UnaryOp(*row), {x});
}

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

// ---- two operands ----

struct BinaryRow {
  std::string_view name;
  std::string_view mlir;
  unsigned kinds;
  // Cotangents of a and b at y = f(a, b); null where both are zero or there are none.
  std::array<Value, 2> (*gradient)(Value a, Value b, Value y, Value dy);
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
    {"remainder", "stablehlo.remainder", kNumbers,
     [](Value a, Value b, Value, Value dy) {
       const Value quotient = a / b;
       return std::array{dy, -(dy * Sign(quotient) * Floor(Abs(quotient)))};
     }},
    {"maximum", "stablehlo.maximum", kNumbers | kPreds,
     [](Value a, Value b, Value, Value dy) {
       return std::array{dy * TieShare(a, b, Comparison::kGt), dy * TieShare(b, a, Comparison::kGt)};
     }},
    {"minimum", "stablehlo.minimum", kNumbers | kPreds,
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
    {"atan2", "stablehlo.atan2", kFloats,
     [](Value a, Value b, Value, Value dy) {
       const Value scale = dy / (a * a + b * b);
       return std::array{scale * b, -(scale * a)};
     }},
    {"and", "stablehlo.and", kBits, nullptr},
    {"or", "stablehlo.or", kBits, nullptr},
    {"xor", "stablehlo.xor", kBits, nullptr},
    {"shift_left", "stablehlo.shift_left", kInts, nullptr},
    {"shift_right_logical", "stablehlo.shift_right_logical", kInts, nullptr},
    {"shift_right_arithmetic", "stablehlo.shift_right_arithmetic", kInts, nullptr},
};

struct BinaryOp final : Op {
  explicit BinaryOp(const BinaryRow& row) : row(&row) {}
  const BinaryRow* row;

  std::string_view name() const override { return row->name; }
  int Arity() const override { return 2; }
  Types Infer(TypeSpan x) const override {
    Require(Accepts(row->kinds, x[0].dtype), "takes {}", KindNames(row->kinds));
    Require(x[0].dtype == x[1].dtype, "element types differ; convert one of them");
    Require(x[0].shape == x[1].shape, "shapes differ");
    return {x[0]};
  }
  void Emit(const Node& node, Emitter& e) const override { e.Elementwise(row->mlir, node); }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    if (!row->gradient) return {Value(), Value()};
    const auto [da, db] = row->gradient(node.operands[0], node.operands[1], node.result(), dy[0]);
    return {da, db};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    return {headrace::Apply(*this, BroadcastBatch(x, size))};
  }
};

Value Binary(std::string_view name, Value a, Value b) {
  const auto* row = std::ranges::find(kBinary, name, &BinaryRow::name);
  return Apply(BinaryOp(*row), BroadcastTogether({a, b}));
}

constexpr std::array<std::string_view, 6> kComparisonNames = {"EQ", "NE", "LT", "LE", "GT", "GE"};

struct CompareOp final : OpOf<CompareOp> {
  static constexpr std::string_view kName = "compare";
  Comparison direction = Comparison::kEq;

  void Attributes(AttributeVisitor& v) override { v.Visit("direction", direction, kComparisonNames); }
  int Arity() const override { return 2; }
  Types Infer(TypeSpan x) const override {
    Require(x[0].dtype == x[1].dtype, "element types differ; convert one of them");
    Require(x[0].shape == x[1].shape, "shapes differ");
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

// ---- select, convert, stop_gradient ----

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

std::vector<OpEntry> ElementwiseOps() {
  auto entries = EntriesOf<IsFiniteOp, CompareOp, SelectOp, ConvertOp, BitcastConvertOp, StopGradientOp>();
  for (const UnaryRow& row : kUnary)
    entries.push_back({row.name, [&row] { return std::make_unique<UnaryOp>(row); }});
  for (const BinaryRow& row : kBinary)
    entries.push_back({row.name, [&row] { return std::make_unique<BinaryOp>(row); }});
  return entries;
}

Value Exp(Value x) { return Unary("exp", x); }
Value Expm1(Value x) { return Unary("expm1", x); }
Value Log(Value x) { return Unary("log", x); }
Value Log1p(Value x) { return Unary("log1p", x); }
Value Tanh(Value x) { return Unary("tanh", x); }
Value Logistic(Value x) { return Unary("logistic", x); }
Value Sqrt(Value x) { return Unary("sqrt", x); }
Value Rsqrt(Value x) { return Unary("rsqrt", x); }
Value Cbrt(Value x) { return Unary("cbrt", x); }
Value Sin(Value x) { return Unary("sine", x); }
Value Cos(Value x) { return Unary("cosine", x); }
Value Erf(Value x) { return Unary("erf", x); }
Value ErfInv(Value x) { return Unary("erf_inv", x); }
Value Floor(Value x) { return Unary("floor", x); }
Value Ceil(Value x) { return Unary("ceil", x); }
Value Round(Value x) { return Unary("round_nearest_even", x); }
Value IsFinite(Value x) { return Apply(IsFiniteOp(), {x}); }
Value Neg(Value x) { return Unary("negate", x); }
Value Abs(Value x) { return Unary("abs", x); }
Value Sign(Value x) { return Unary("sign", x); }
Value Not(Value x) { return Unary("not", x); }
Value PopulationCount(Value x) { return Unary("popcnt", x); }
Value CountLeadingZeros(Value x) { return Unary("count_leading_zeros", x); }

Value Add(Value a, Value b) { return Binary("add", a, b); }
Value Sub(Value a, Value b) { return Binary("subtract", a, b); }
Value Mul(Value a, Value b) { return Binary("multiply", a, b); }
Value Div(Value a, Value b) { return Binary("divide", a, b); }
Value Rem(Value a, Value b) { return Binary("remainder", a, b); }
Value Maximum(Value a, Value b) { return Binary("maximum", a, b); }
Value Minimum(Value a, Value b) { return Binary("minimum", a, b); }
Value Pow(Value a, Value b) { return Binary("power", a, b); }
Value Atan2(Value a, Value b) { return Binary("atan2", a, b); }
Value And(Value a, Value b) { return Binary("and", a, b); }
Value Or(Value a, Value b) { return Binary("or", a, b); }
Value Xor(Value a, Value b) { return Binary("xor", a, b); }
Value ShiftLeft(Value a, Value b) { return Binary("shift_left", a, b); }
Value ShiftRightLogical(Value a, Value b) { return Binary("shift_right_logical", a, b); }
Value ShiftRightArithmetic(Value a, Value b) { return Binary("shift_right_arithmetic", a, b); }

Value Compare(Value a, Value b, Comparison direction) {
  CompareOp op;
  op.direction = direction;
  return Apply(op, BroadcastTogether({a, b}));
}

Value Select(Value condition, Value on_true, Value on_false) {
  return Apply(SelectOp(), BroadcastTogether({condition, on_true, on_false}));
}

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
