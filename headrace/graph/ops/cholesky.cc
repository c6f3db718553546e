#include "headrace/graph/ops/cholesky.h"

#include <utility>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/matrices.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

Value Decomposed(Value a, bool lower);

// The lower triangle with half of the diagonal: of a Hermitian matrix, what the whole is twice the Hermitian
// part of.
Value LowerHalf(Value x) { return Tril(x) - 0.5 * DiagonalMatrix(Diagonal(x)); }

// Reads one triangle of the operand; what the result has in the other is anything.
struct CholeskyOp final : OpOf<CholeskyOp> {
  static constexpr std::string_view kName = "cholesky";
  bool lower = true;

  void Attributes(AttributeVisitor& v) override { v.Visit("lower", lower); }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    RequireSquareMatrices(x[0]);
    return {x[0]};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.cholesky", node, {{"lower", lower ? "true" : "false"}});
  }
  // Murray, "Differentiation of the Cholesky decomposition" (2016), equation 8: dL = L · half(L^-1 · dA ·
  // L^-H), of which this is the transpose.
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value l = lower ? Tril(node.result()) : Adjoint(Triu(node.result()));
    const Value dl = lower ? Tril(dy[0]) : Adjoint(Triu(dy[0]));
    const Value inner = LowerHalf(Matmul(MatrixTranspose(l), dl, Precision::kHighest));
    const Value left = TriangularSolve(l, inner, {.transpose_a = TransposeA::kTranspose});
    const Value da = Conj(TriangularSolve(l, Conj(left), {.left_side = false}));
    // Both triangles of a are made of the one that is read.
    const Value d_lower = LowerHalf(da + Adjoint(da));
    return {lower ? d_lower : Adjoint(d_lower)};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {Decomposed(x[0].value, lower)};
  }
};

Value Decomposed(Value a, bool lower) {
  CholeskyOp op;
  op.lower = lower;
  return Apply(op, {a});
}

}  // namespace

std::vector<OpEntry> CholeskyOps() { return EntriesOf<CholeskyOp>(); }

Value Cholesky(Value a, bool upper) {
  RequireSquareMatrices("cholesky", a);
  const Value factor = Decomposed(0.5 * (a + Adjoint(a)), !upper);
  return upper ? Triu(factor) : Tril(factor);
}

Value MatrixTranspose(Value x) {
  Require(x.rank() >= 2, "matrix_transpose: takes [..., m, n], not {}", x.type().ToString());
  Ints order;
  for (int64_t axis = 0; axis < x.rank(); ++axis) order.push_back(axis);
  std::swap(order[order.size() - 2], order.back());
  return Transpose(x, order);
}

Value Adjoint(Value x) { return Conj(MatrixTranspose(x)); }

}  // namespace headrace
