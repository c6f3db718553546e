// Verify: whether a function is what every transform may assume; tests run it after each of them.
#pragma once

#include "headrace/core/status.h"
#include "headrace/graph/function.h"

namespace headrace {

// OK, or kInternal with the node that is wrong: operands precede their uses and are of the same graph, the
// types of results are those that the op infers, parameters and results are in place. Goes into the functions
// that ops hold.
Status Verify(const Function& function);

}  // namespace headrace
