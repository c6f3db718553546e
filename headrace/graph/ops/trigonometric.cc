#include "headrace/graph/ops/trigonometric.h"

#include "headrace/graph/ops.h"
#include "headrace/graph/ops/element_function.h"

namespace headrace {
namespace {

// (1 - x) (1 + x) keeps the digits of 1 - x^2 near 1.
Value OneMinusSquare(Value x) { return (1.0 - x) * (1.0 + x); }

constexpr UnaryRow kUnary[] = {
    {"sine", "stablehlo.sine", kInexact, [](Value x, Value) { return Cos(x); }},
    {"cosine", "stablehlo.cosine", kInexact, [](Value x, Value) { return -Sin(x); }},
    {"tan", "chlo.tan", kFloats, [](Value, Value y) { return 1.0 + y * y; }},
    {"asin", "chlo.asin", kFloats, [](Value x, Value) { return Rsqrt(OneMinusSquare(x)); }},
    {"acos", "chlo.acos", kFloats, [](Value x, Value) { return -Rsqrt(OneMinusSquare(x)); }},
    {"atan", "chlo.atan", kFloats, [](Value x, Value) { return 1.0 / (1.0 + x * x); }},
    {"sinh", "chlo.sinh", kFloats, [](Value x, Value) { return Cosh(x); }},
    {"cosh", "chlo.cosh", kFloats, [](Value x, Value) { return Sinh(x); }},
    {"tanh", "stablehlo.tanh", kInexact, [](Value, Value y) { return 1.0 - y * y; }},
    {"asinh", "chlo.asinh", kFloats, [](Value x, Value) { return Rsqrt(x * x + 1.0); }},
    {"acosh", "chlo.acosh", kFloats, [](Value x, Value) { return Rsqrt((x - 1.0) * (x + 1.0)); }},
    {"atanh", "chlo.atanh", kFloats, [](Value x, Value) { return 1.0 / OneMinusSquare(x); }},
};

constexpr BinaryRow kBinary[] = {
    {"atan2", "stablehlo.atan2", kFloats,
     [](Value a, Value b, Value, Value dy) {
       const Value scale = dy / (a * a + b * b);
       return std::array{scale * b, -(scale * a)};
     }},
};

}  // namespace

std::vector<OpEntry> TrigonometricOps() { return EntriesOf(kUnary, kBinary); }

Value Sin(Value x) { return ApplyRow(kUnary, "sine", x); }
Value Cos(Value x) { return ApplyRow(kUnary, "cosine", x); }
Value Tan(Value x) { return ApplyRow(kUnary, "tan", x); }
Value Asin(Value x) { return ApplyRow(kUnary, "asin", x); }
Value Acos(Value x) { return ApplyRow(kUnary, "acos", x); }
Value Atan(Value x) { return ApplyRow(kUnary, "atan", x); }
Value Atan2(Value a, Value b) { return ApplyRow(kBinary, "atan2", a, b); }
Value Sinh(Value x) { return ApplyRow(kUnary, "sinh", x); }
Value Cosh(Value x) { return ApplyRow(kUnary, "cosh", x); }
Value Tanh(Value x) { return ApplyRow(kUnary, "tanh", x); }
Value Asinh(Value x) { return ApplyRow(kUnary, "asinh", x); }
Value Acosh(Value x) { return ApplyRow(kUnary, "acosh", x); }
Value Atanh(Value x) { return ApplyRow(kUnary, "atanh", x); }

}  // namespace headrace
