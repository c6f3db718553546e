#include "headrace/graph/ops/bitwise.h"

#include "headrace/graph/ops/element_function.h"

namespace headrace {
namespace {

constexpr UnaryRow kUnary[] = {
    {"not", "stablehlo.not", kBits, nullptr},
    {"popcnt", "stablehlo.popcnt", kInts, nullptr},
    {"count_leading_zeros", "stablehlo.count_leading_zeros", kInts, nullptr},
};

constexpr BinaryRow kBinary[] = {
    {"and", "stablehlo.and", kBits, nullptr},
    {"or", "stablehlo.or", kBits, nullptr},
    {"xor", "stablehlo.xor", kBits, nullptr},
    {"shift_left", "stablehlo.shift_left", kInts, nullptr},
    {"shift_right_logical", "stablehlo.shift_right_logical", kInts, nullptr},
    {"shift_right_arithmetic", "stablehlo.shift_right_arithmetic", kInts, nullptr},
};

}  // namespace

std::vector<OpEntry> BitwiseOps() { return EntriesOf(kUnary, kBinary); }

Value Not(Value x) { return ApplyRow(kUnary, "not", x); }
Value PopulationCount(Value x) { return ApplyRow(kUnary, "popcnt", x); }
Value CountLeadingZeros(Value x) { return ApplyRow(kUnary, "count_leading_zeros", x); }
Value And(Value a, Value b) { return ApplyRow(kBinary, "and", a, b); }
Value Or(Value a, Value b) { return ApplyRow(kBinary, "or", a, b); }
Value Xor(Value a, Value b) { return ApplyRow(kBinary, "xor", a, b); }
Value ShiftLeft(Value a, Value b) { return ApplyRow(kBinary, "shift_left", a, b); }
Value ShiftRightLogical(Value a, Value b) { return ApplyRow(kBinary, "shift_right_logical", a, b); }
Value ShiftRightArithmetic(Value a, Value b) { return ApplyRow(kBinary, "shift_right_arithmetic", a, b); }

}  // namespace headrace
