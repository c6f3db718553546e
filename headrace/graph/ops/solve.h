// Linear equations with any matrix, by its QR decomposition. For positive definite ones SolvePositiveDefinite
// does a quarter of the work, for triangular ones TriangularSolve.
//
//   Value x = Solve(a, b);
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// x with a · x = b, a [..., n, n]. b is a vector [n], or matrices [..., n, k], whose leading dimensions
// broadcast with those of a. Where a is singular, x has infinities or NaN.
Value Solve(Value a, Value b);

// The x that makes a · x - b shortest, a [..., m, n] with linearly independent columns, so m >= n.
Value LeastSquares(Value a, Value b);

Value Inverse(Value a);

struct SlogDetResult {
  Value sign;     // -1 or 1; [...]
  Value log_abs;  // log(|det(a)|), -infinity where a is singular; [...]
};

// Of real a [..., n, n]: det(a) = sign · e^log_abs, which need not overflow where det(a) would.
SlogDetResult SlogDet(Value a);
Value Det(Value a);

}  // namespace headrace
