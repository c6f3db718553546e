// Integers in the order of floats, for sorting. For ops/ only.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// How -0 and 0 compare: apart, -0 comes first.
enum class Zeros { kEqual, kApart };

// Signed integers of the width of x, which compare as its elements do; NaN, of whatever bits, is the largest.
Value SortKey(Value x, Zeros zeros);

// The elements again, from keys with the zeros apart; every NaN has become the same.
Value FromSortKey(Value key, DType dtype);

}  // namespace headrace
