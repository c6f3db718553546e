// Reductions by a function of the caller's own, of several values at once.
//
//   // the largest element and its place
//   Values best = ReduceBy(later_if_larger, {x, places}, {least, none}, {-1});
#pragma once

#include "headrace/graph/ops/combine.h"
#include "headrace/graph/ops/window.h"

namespace headrace {

// The reduced dimensions disappear; negative axes count from the end. The values have one shape; `init` has a
// scalar for each, which must be neutral. `combine` must be associative, and commutative, and may use nothing
// else of the graph. The gradient is that of combining halves with each other, log2(n) times.
Values ReduceBy(const CombineFn& combine, Values values, Values init, Ints axes);

// The same of what a window sees at each of its positions (see ReduceWindow). The gradient takes one
// combination an element of the window.
Values ReduceWindowBy(const CombineFn& combine, Values values, Values init, Window window);

}  // namespace headrace
