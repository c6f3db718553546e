// Functions of angles and their inverses, of floating-point.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

Value Sin(Value x);
Value Cos(Value x);
Value Atan2(Value a, Value b);  // the angle of the point (b, a)

}  // namespace headrace
