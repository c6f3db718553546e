// One of several functions, chosen when the program runs.
#pragma once

#include <vector>

#include "headrace/graph/function.h"

namespace headrace {

// What branches[index] makes of the operands; an index beyond the ends takes the branch at that end. Only
// that branch runs, except where examples of a batch differ: then all run, and each example takes its own.
// Branches may use values of the graph around them. index: i32[].
Values Switch(Value index, const std::vector<ValueFn>& branches, Values operands = {});

// predicate: pred[].
//   Value y = Cond(Greater(x, zero), [&](auto) { return Values{Sqrt(x)}; }, [&](auto) { return Values{x};
//   })[0];
Values Cond(Value predicate, const ValueFn& on_true, const ValueFn& on_false, Values operands = {});

}  // namespace headrace
