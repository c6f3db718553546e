// What solvers of equations share: vectors and stacks of matrices on the right side. For ops/ only.
#pragma once

#include <functional>
#include <string_view>

#include "headrace/graph/graph.h"

namespace headrace {

// What `solve` makes of a [..., m, n] and b [..., m, k], whose leading dimensions are equal. b may be a
// vector [m], which gives a vector, and leading dimensions broadcast. Fails, as `name`, for what does not
// fit.
Value WithRightSides(std::string_view name, Value a, Value b,
                     const std::function<Value(Value a, Value b)>& solve);

}  // namespace headrace
