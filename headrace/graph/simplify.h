// Simplify: the same function in fewer nodes, so that programs stay small. It does nothing that the compiler
// does anyway, but for not writing a thing twice.
#pragma once

#include "headrace/graph/function.h"

namespace headrace {

// Makes equal expressions once, makes one of several reshapes or transpositions in a row, and drops what no
// result depends on. Barriers, custom calls and ops that hold functions stay as they are. Parameters keep
// their names and order.
Function Simplify(const Function& function);

}  // namespace headrace
