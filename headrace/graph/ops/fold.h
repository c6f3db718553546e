// Fold and Unfold: a dimension moved into another, and out of it again. For ops/ only.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// x [V, …, outer · inner, …] -> [.., outer · V · inner, …]: dimension 0 goes into dimension `into`, which is
// counted without it.
Value Fold(Value x, int64_t into, int64_t outer = 1);

// The reverse: a factor `size` of dimension `from`, behind `outer`, becomes dimension 0.
Value Unfold(Value x, int64_t from, int64_t size, int64_t outer = 1);

// The leading factor `size` of dimension `from` becomes the leading factor of dimension `to`.
Value MoveFactor(Value x, int64_t from, int64_t to, int64_t size);

}  // namespace headrace
