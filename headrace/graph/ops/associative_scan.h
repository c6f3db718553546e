// AssociativeScan: every prefix of a row of values combined, in about 2 log2(n) steps of whole arrays.
//
//   Values sums = AssociativeScan([](auto a, auto b) { return Values{a[0] + b[0]}; }, {x}, 0);
#pragma once

#include "headrace/graph/ops/combine.h"

namespace headrace {

// Result element i combines elements 0 … i along the axis; reversed, n - 1 … i. The values have one size
// along it. Gradients and batches are those of what `combine` is made of. The order of the combinations is
// JAX's.
Values AssociativeScan(const CombineFn& combine, Values values, int axis, bool reverse = false);

}  // namespace headrace
