// Functions that move elements without changing them.
#pragma once

#include <optional>

#include "headrace/graph/graph.h"

namespace headrace {

// Operand dimension i becomes dimension dims[i] of the result; size-1 dimensions stretch, the others are new.
Value BroadcastInDim(Value x, Shape shape, Ints dims);

// Stretches to `shape` as numpy does: trailing dimensions aligned.
Value BroadcastTo(Value x, const Shape& shape);

// The same elements in row-major order. One size may be -1: what is left.
Value Reshape(Value x, Ints dims);
inline Value Reshape(Value x, const Shape& shape) { return Reshape(x, shape.dims()); }
inline Value Reshape(Value x, std::initializer_list<int64_t> dims) { return Reshape(x, Ints(dims)); }

// Result dimension i is operand dimension permutation[i].
Value Transpose(Value x, Ints permutation);

// A new dimension of size 1 before `axis`.
Value ExpandDims(Value x, int axis);

// A reshape or a transposition of `x` as one with those of the same kind that x comes from; nothing for
// another op. For `graph` itself, and only when no value between is asked for any more: a gradient with
// respect to one that had been passed by would be 0.
std::optional<Value> FoldedIntoOperand(const Op& op, Value x);

}  // namespace headrace
