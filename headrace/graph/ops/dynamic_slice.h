// Slices whose place is computed.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// `sizes` elements of each dimension from `starts` (integer scalars of one type, one a dimension). A start
// that would reach beyond is moved back until the slice fits.
Value DynamicSlice(Value x, Values starts, Ints sizes);

// x with `update` in place of DynamicSlice(x, starts, update's sizes).
Value DynamicUpdateSlice(Value x, Value update, Values starts);

}  // namespace headrace
