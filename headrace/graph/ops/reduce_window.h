// Reductions over windows that slide over a value.
#pragma once

#include "headrace/graph/ops/reduce.h"
#include "headrace/graph/ops/window.h"

namespace headrace {

// Reduces what the window sees at each of its positions; padding and the holes of dilation count for nothing.
// The window has an entry for every dimension of x. Sums, maxima and minima have gradients of every order;
// where elements of a window tie for its extreme, the first in row-major order gets the cotangent.
Value ReduceWindow(Value x, Reduction reduction, Window window);

}  // namespace headrace
