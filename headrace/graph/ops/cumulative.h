// Cumulative reductions: every prefix of a row, or reversed every suffix.
#pragma once

#include "headrace/graph/ops/reduce.h"

namespace headrace {

// Of the shape of x: element i reduces elements 0 … i along the axis; reversed, i … n - 1. Negative axes
// count from the end. Where elements tie for an extreme they share its cotangent, as in JAX.
Value Cumulative(Value x, Reduction reduction, int axis, bool reverse = false);

Value CumSum(Value x, int axis, bool reverse = false);
Value CumProd(Value x, int axis, bool reverse = false);
Value CumMax(Value x, int axis, bool reverse = false);
Value CumMin(Value x, int axis, bool reverse = false);

// log(sum(exp(x))), without overflow.
Value CumLogSumExp(Value x, int axis, bool reverse = false);

}  // namespace headrace
