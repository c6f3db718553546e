// Special functions, of floating-point.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

Value Erf(Value x);
Value Erfc(Value x);  // 1 - erf(x), with the digits of what is left
Value ErfInv(Value x);
Value Lgamma(Value x);   // log |gamma(x)|
Value Digamma(Value x);  // the slope of lgamma

// Derivative m + 1 of lgamma, m >= 0 a whole number; there is no gradient in m.
Value Polygamma(Value m, Value x);
// Sum over k >= 0 of (q + k)^-s (Hurwitz); there is no gradient in s.
Value Zeta(Value s, Value q);

// Modified Bessel functions of the first kind, of orders 0 and 1, times e^-|x|.
Value BesselI0e(Value x);
Value BesselI1e(Value x);

}  // namespace headrace
