// Where elements stand that are looked for.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// i32: the place, along the axis, of the largest or smallest element, of equal ones the first; NaN is both.
// The axis disappears. They have no gradient.
Value ArgMax(Value x, int axis);
Value ArgMin(Value x, int axis);

}  // namespace headrace
