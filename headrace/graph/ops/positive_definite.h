// Linear algebra of positive definite matrices, by their Cholesky decomposition.
//
//   Value weights = SolvePositiveDefinite(Matmul(MatrixTranspose(x), x) + ridge, Matmul(MatrixTranspose(x),
//   y));
//
// All take a [..., n, n], Hermitian and positive definite (see Cholesky); where it is not, the result is NaN.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// x with a · x = b, from a or from its lower factor Cholesky(a). b is a vector [n], or matrices [..., n, k],
// whose leading dimensions broadcast with those of a.
Value SolvePositiveDefinite(Value a, Value b);
Value CholeskySolve(Value lower, Value b);

Value InversePositiveDefinite(Value a);

// log(det(a)), real: [..., n, n] -> [...].
Value LogDetPositiveDefinite(Value a);

}  // namespace headrace
