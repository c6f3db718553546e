// Special functions, of floating-point.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

Value Erf(Value x);
Value ErfInv(Value x);

}  // namespace headrace
