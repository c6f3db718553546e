// Comparisons, and choices by what they give. Operands broadcast as those of elementwise.h do.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// Comparisons give pred. NaN compares unequal to everything.
enum class Comparison { kEq, kNe, kLt, kLe, kGt, kGe };
Value Compare(Value a, Value b, Comparison direction);
inline Value Equal(Value a, Value b) { return Compare(a, b, Comparison::kEq); }
inline Value NotEqual(Value a, Value b) { return Compare(a, b, Comparison::kNe); }
inline Value Less(Value a, Value b) { return Compare(a, b, Comparison::kLt); }
inline Value LessEqual(Value a, Value b) { return Compare(a, b, Comparison::kLe); }
inline Value Greater(Value a, Value b) { return Compare(a, b, Comparison::kGt); }
inline Value GreaterEqual(Value a, Value b) { return Compare(a, b, Comparison::kGe); }

// pred, of floating-point.
Value IsFinite(Value x);
Value IsNaN(Value x);
Value IsInf(Value x);  // of either sign

// on_true where `condition` (pred), else on_false; broadcasts all three.
Value Select(Value condition, Value on_true, Value on_false);

// x where it lies between the bounds, else the nearer bound; broadcasts all three. NaN stays NaN.
Value Clamp(Value low, Value x, Value high);
Value Clip(Value x, double low, double high);

}  // namespace headrace
