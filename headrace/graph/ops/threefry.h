// Threefry-2x32, the counter-based hash that random numbers are made of (Salmon et al., "Parallel random
// numbers: as easy as 1, 2, 3", SC 2011). For what draws numbers, see random.h.
#pragma once

#include <array>

#include "headrace/graph/graph.h"

namespace headrace {

// Hashes the counters (x0, x1) under the key (k0, k1), each element alone, in 20 rounds. All are u32;
// broadcasts the four. A program holds one function for all uses with one shape.
std::array<Value, 2> Threefry2x32(std::array<Value, 2> key, std::array<Value, 2> counters);

}  // namespace headrace
