// Functions of angles, hyperbolic ones, and their inverses; of floating-point.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

Value Sin(Value x);  // of complex numbers too
Value Cos(Value x);
Value Tan(Value x);
Value Asin(Value x);
Value Acos(Value x);
Value Atan(Value x);
Value Atan2(Value a, Value b);  // the angle of the point (b, a)

Value Sinh(Value x);
Value Cosh(Value x);
Value Tanh(Value x);
Value Asinh(Value x);
Value Acosh(Value x);
Value Atanh(Value x);

}  // namespace headrace
