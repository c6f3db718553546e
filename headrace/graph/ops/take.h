// Rows of a table by their numbers, elements by their places.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// What a number below 0 or beyond what there is gives. (Negative numbers do not count from the end.)
enum class OutOfRange {
  kFill,   // NaN; of integers the smallest, of unsigned the largest, true: as JAX's take. No gradient
  kClamp,  // the nearest there is
};

// table [n, ...], numbers integer [*] -> [*, ...]. Fill is the default, so that a wrong number shows.
Value TakeRows(Value table, Value numbers, OutOfRange out_of_range = OutOfRange::kFill);

// The elements of x at places along one axis: result[i, j, k] = x[i, places[i, j, k], k]. In the other
// dimensions both have the same sizes. Negative axes count from the end, negative places do not.
Value TakeAlongAxis(Value x, Value places, int axis, OutOfRange out_of_range = OutOfRange::kFill);

// numbers integer [*] -> [*, classes]: 1 where the last dimension is at the number, else 0; all zeros for a
// number out of range.
Value OneHot(Value numbers, int64_t classes, DType dtype = DType::kF32);

}  // namespace headrace
