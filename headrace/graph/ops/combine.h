// Functions of the caller's own that put values together: of a reduction, a scan, a scatter.
#pragma once

#include <functional>
#include <memory>

#include "headrace/graph/function.h"

namespace headrace {

// From values that come earlier, and as many that come later, to what they make together, of the same types.
// It must be associative.
using CombineFn = std::function<Values(std::span<const Value> earlier, std::span<const Value> later)>;

// ---- for ops/ only: what reductions hold is a function of scalars, first the earlier ones, then the later
// ----

// Fails if `combine` uses any other value of the graph.
std::shared_ptr<const Function> TraceCombine(std::span<const Value> values, const CombineFn& combine);

// Fails unless it takes and gives scalars of these element types.
void RequireCombine(const Function* combine, TypeSpan values);

// It on whole values, element by element.
Values CombineElements(const Function& combine, const Values& earlier, const Values& later);

// All elements along the last dimension of the values, which has at least one: halves are combined with each
// other, in order, log2(n) times.
Values CombineAlongLast(const Function& combine, Values values);

}  // namespace headrace
