#include "headrace/graph/ops/trigonometric.h"

#include "headrace/graph/ops.h"
#include "headrace/graph/ops/element_function.h"

namespace headrace {
namespace {

constexpr UnaryRow kUnary[] = {
    {"sine", "stablehlo.sine", kFloats, [](Value x, Value) { return Cos(x); }},
    {"cosine", "stablehlo.cosine", kFloats, [](Value x, Value) { return -Sin(x); }},
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
Value Atan2(Value a, Value b) { return ApplyRow(kBinary, "atan2", a, b); }

}  // namespace headrace
