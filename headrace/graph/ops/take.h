// Rows of a table by their numbers.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// What a row number below 0 or beyond the table gives. (Negative numbers do not count from the end.)
enum class OutOfRange {
  kFill,   // NaN; of integers the smallest, of unsigned the largest, true: as JAX's take. No gradient
  kClamp,  // the nearest row there is
};

// table [n, ...], numbers integer [*] -> [*, ...]. Fill is the default, so that a wrong number shows.
Value TakeRows(Value table, Value numbers, OutOfRange out_of_range = OutOfRange::kFill);

// numbers integer [*] -> [*, classes]: 1 where the last dimension is at the number, else 0; all zeros for a
// number out of range.
Value OneHot(Value numbers, int64_t classes, DType dtype = DType::kF32);

}  // namespace headrace
