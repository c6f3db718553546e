#include "headrace/graph/ops/solve.h"

#include "headrace/graph/ops.h"
#include "headrace/graph/ops/matrices.h"
#include "headrace/graph/ops/right_sides.h"

namespace headrace {
namespace {

Value SolveByQr(std::string_view name, Value a, Value b) {
  return WithRightSides(name, a, b, [](Value matrix, Value right) {
    const auto [q, r] = Qr(matrix);
    return TriangularSolve(r, Matmul(Adjoint(q), right, Precision::kHighest), {.lower = false});
  });
}

}  // namespace

Value Solve(Value a, Value b) {
  RequireSquareMatrices("solve", a);
  return SolveByQr("solve", a, b);
}

Value LeastSquares(Value a, Value b) {
  Require(a.rank() >= 2 && a.dim(-2) >= a.dim(-1), "least_squares: takes [..., m, n] with m >= n, not {}",
          a.type().ToString());
  return SolveByQr("least_squares", a, b);
}

Value Inverse(Value a) {
  RequireSquareMatrices("inverse", a);
  return SolveByQr("inverse", a, Eye(a.graph(), a.dtype(), a.dim(-1)));
}

SlogDetResult SlogDet(Value a) {
  RequireSquareMatrices("slogdet", a);
  Require(IsFloat(a.dtype()), "slogdet: takes real matrices, not {}", a.type().ToString());
  const Value diagonal = Diagonal(Qr(a).r);
  // The determinant of q: -1 for every reflection; one with tau = 0 is none. (Decomposed again, for the sign
  // alone.)
  const Value taus = HouseholderQr(StopGradient(a)).taus;
  const Value reflections = Select(Equal(taus, ZerosLike(taus)), OnesLike(taus), -OnesLike(taus));
  return {Prod(Sign(diagonal) * reflections, {-1}), Sum(Log(Abs(diagonal)), {-1})};
}

Value Det(Value a) {
  const auto [sign, log_abs] = SlogDet(a);
  return sign * Exp(log_abs);
}

}  // namespace headrace
