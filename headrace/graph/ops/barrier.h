// Values held back until others are there.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// The same values; what uses them is computed after all of them, and the compiler moves and merges nothing
// across. Remat stands on it: without it, a recomputation is merged with the first computation.
Values OptimizationBarrier(Values values);

}  // namespace headrace
