// Sorting along a dimension.
//
// The order is JAX's: of floats, NaN comes last and -0 equals 0; of keys, the first that differs counts.
// Descending is the reverse order (NaN first); elements that are equal stay as they stood in both.
//
//   Values sorted = SortTogether({lengths, names}, 0, {.num_keys = 1});
//   Value best_first = Argsort(scores, -1, {.descending = true});
#pragma once

#include "headrace/graph/function.h"

namespace headrace {

struct SortOptions {
  bool descending = false;
  int64_t num_keys = 1;  // the first values that count; the others go along
  bool stable = true;    // equal elements stay as they stood; without it their order is not defined
};

Value Sort(Value x, int axis = -1, SortOptions options = {});

// Values of one shape, in the order of their keys.
Values SortTogether(Values values, int axis = -1, SortOptions options = {});

// Where the elements stood that Sort gives: i32, each row a permutation.
Value Argsort(Value x, int axis = -1, SortOptions options = {});

// Values of one shape, in an order of the caller's own. `comes_before` is handed two scalars a value, a0, b0,
// a1, b1, …, and gives one pred: whether the a come before the b. It may use nothing else of the graph.
Values SortBy(const ValueFn& comes_before, Values values, int axis = -1, bool stable = true);

}  // namespace headrace
