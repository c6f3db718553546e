// The largest elements along a dimension.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

struct TopKResult {
  Value values;     // falling; NaN is the largest
  Value positions;  // i32
};

// The k largest; of equal ones those that stand first.
TopKResult TopK(Value x, int64_t k, int axis = -1);

}  // namespace headrace
