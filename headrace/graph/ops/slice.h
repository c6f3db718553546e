// Parts of values, and values put together.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// Elements start, start + stride, … below limit, in each dimension.
Value Slice(Value x, Ints starts, Ints limits, Ints strides = {});

// [start, limit) of one dimension, the others whole.
Value Slice(Value x, int axis, int64_t start, int64_t limit);

// Adds (low, high) elements of `fill` (a scalar) around each dimension and `interior` between neighbours;
// negative low and high remove elements.
Value Pad(Value x, Value fill, Padding padding, Ints interior = {});

// Puts values behind each other along one dimension.
Value Concatenate(Values values, int axis);

// Values of one type behind each other in a new dimension before `axis`.
Value Stack(const Values& values, int axis = 0);

}  // namespace headrace
