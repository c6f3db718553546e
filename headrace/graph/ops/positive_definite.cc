#include "headrace/graph/ops/positive_definite.h"

#include "headrace/graph/ops.h"
#include "headrace/graph/ops/right_sides.h"

namespace headrace {

Value CholeskySolve(Value lower, Value b) {
  return WithRightSides("cholesky_solve", lower, b, [](Value l, Value right) {
    return TriangularSolve(l, TriangularSolve(l, right), {.transpose_a = TransposeA::kAdjoint});
  });
}

Value SolvePositiveDefinite(Value a, Value b) { return CholeskySolve(Cholesky(a), b); }

Value InversePositiveDefinite(Value a) {
  return SolvePositiveDefinite(a, Eye(a.graph(), a.dtype(), a.dim(-1)));
}

Value LogDetPositiveDefinite(Value a) { return 2.0 * Sum(Log(Real(Diagonal(Cholesky(a)))), {-1}); }

}  // namespace headrace
