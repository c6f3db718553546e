// The same elements in another form.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// Another element type: floats round to nearest even, floats to integers truncate.
Value Convert(Value x, DType dtype);

// The same bits as elements of another type of that size. No gradient goes through it.
Value BitcastConvert(Value x, DType dtype);

// x, with no gradient through it.
Value StopGradient(Value x);

}  // namespace headrace
