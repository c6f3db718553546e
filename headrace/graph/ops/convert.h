// The same elements in another form.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// Another element type: floats round to nearest even, floats to integers truncate, complex
// numbers to real ones keep their real part.
Value Convert(Value x, DType dtype);

// Rounded to what a float of so many bits could hold, in the same type.
Value ReducePrecision(Value x, int64_t exponent_bits, int64_t mantissa_bits);

// The same bits as elements of another type. Of one that is narrower by n, each element becomes n, in a new
// last dimension, the lowest bits first; of one that is wider, the last dimension becomes one element. No
// gradient goes through it.
Value BitcastConvert(Value x, DType dtype);

// x, with no gradient through it.
Value StopGradient(Value x);

}  // namespace headrace
