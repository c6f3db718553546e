// Reductions over dimensions.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

enum class Reduction { kAdd, kMul, kMax, kMin, kAnd, kOr };

// The reduced dimensions disappear; negative axes count from the end.
Value Reduce(Value x, Reduction reduction, Ints axes);

Value Sum(Value x, Ints axes);
Value Mean(Value x, Ints axes);
Value Max(Value x, Ints axes);
Value Min(Value x, Ints axes);
Value Prod(Value x, Ints axes);
Value All(Value x, Ints axes);
Value Any(Value x, Ints axes);
Value Sum(Value x);  // over everything, to a scalar
Value Mean(Value x);

// The same with the reduced dimensions kept at size 1.
Value KeepDims(Value reduced, const Shape& of, Ints axes);

// ---- for ops/ only ----

// Axes counted from the front, rising.
Ints RisingAxes(Ints axes, int rank);

// The shape without `dims`. Fails unless they are distinct dimensions of it.
Shape WithoutDims(const Shape& shape, const Ints& dims);

// [kept…, reduced…] with the reduced dimensions flattened into the last one, and how to go back.
struct Flattened {
  Value value;
  Shape moved;   // before they were flattened
  Ints inverse;  // the permutation back
};
Flattened FlattenedLast(Value x, const Ints& dims);

}  // namespace headrace
