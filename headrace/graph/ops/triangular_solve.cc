#include "headrace/graph/ops/triangular_solve.h"

#include <array>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/fold.h"
#include "headrace/graph/ops/matrices.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

constexpr std::array<std::string_view, 3> kTransposeNames = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};

struct TriangularSolveOp final : OpOf<TriangularSolveOp> {
  static constexpr std::string_view kName = "triangular_solve";
  TriangularSolveOptions options;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("left_side", options.left_side);
    v.Visit("lower", options.lower);
    v.Visit("unit_diagonal", options.unit_diagonal);
    v.Visit("transpose_a", options.transpose_a, kTransposeNames);
  }
  int Arity() const override { return 2; }
  Types Infer(TypeSpan x) const override {
    const Shape& a = x[0].shape;
    const Shape& b = x[1].shape;
    const int rank = a.rank();
    RequireDecomposable(x[0].dtype);
    Require(x[0].dtype == x[1].dtype, "element types differ; convert one of them");
    Require(rank >= 2 && a[rank - 1] == a[rank - 2], "the left operand is not square matrices [..., n, n]");
    Require(b.rank() == rank, "ranks differ; the right operand is matrices too, one for each of the left");
    for (int axis = 0; axis < rank - 2; ++axis)
      Require(a[axis] == b[axis], "leading dimensions {} differ: {} and {}", axis, a[axis], b[axis]);
    const int64_t size = b[options.left_side ? rank - 2 : rank - 1];
    Require(size == a[rank - 1], "matrices of {} rows do not fit {} {}", a[rank - 1], size,
            options.left_side ? "rows on their right" : "columns on their left");
    return {x[1]};
  }
  void Emit(const Node& node, Emitter& e) const override {
    auto text = [](bool flag) { return flag ? "true" : "false"; };
    e.Op("stablehlo.triangular_solve", node,
         {{"left_side", text(options.left_side)},
          {"lower", text(options.lower)},
          {"unit_diagonal", text(options.unit_diagonal)},
          {"transpose_a", fmt::format("#stablehlo<transpose {}>",
                                      kTransposeNames[static_cast<size_t>(options.transpose_a)])}});
  }
  // With M = op(a): of x = M^-1 · b, db = M^-T · dx and dM = -db · x^T; of x = b · M^-1, db = dx · M^-T and
  // dM = -x^T · db.
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value a = node.operands[0];
    const Value x = MatrixTranspose(node.result());
    const Value db = SolveTransposed(a, dy[0]);
    const Value dm =
        options.left_side ? -Matmul(db, x, Precision::kHighest) : -Matmul(x, db, Precision::kHighest);
    return {Read(FromOp(dm)), db};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    if (x[0].batched) return {TriangularSolve(x[0].value, BroadcastBatch(x[1], size), options)};
    // One matrix for the whole batch: more columns, or rows.
    const int64_t into = x[1].value.rank() - (options.left_side ? 2 : 3);
    return {Unfold(TriangularSolve(x[0].value, Fold(x[1].value, into), options), into, size)};
  }

 private:
  // With op(a)^T in place of op(a).
  Value SolveTransposed(Value a, Value b) const {
    TriangularSolveOptions transposed = options;
    if (options.transpose_a == TransposeA::kAdjoint) {  // (a^H)^T is a, conjugated
      transposed.transpose_a = TransposeA::kNoTranspose;
      return Conj(TriangularSolve(a, Conj(b), transposed));
    }
    transposed.transpose_a =
        options.transpose_a == TransposeA::kTranspose ? TransposeA::kNoTranspose : TransposeA::kTranspose;
    return TriangularSolve(a, b, transposed);
  }

  // The cotangent of a from that of op(a).
  Value FromOp(Value dm) const {
    switch (options.transpose_a) {
      case TransposeA::kTranspose:
        return MatrixTranspose(dm);
      case TransposeA::kAdjoint:
        return Adjoint(dm);
      default:
        return dm;
    }
  }

  // Zeros in what of a is not read.
  Value Read(Value da) const {
    if (options.lower) return Tril(da, options.unit_diagonal ? -1 : 0);
    return Triu(da, options.unit_diagonal ? 1 : 0);
  }
};

}  // namespace

std::vector<OpEntry> TriangularSolveOps() { return EntriesOf<TriangularSolveOp>(); }

Value TriangularSolve(Value a, Value b, const TriangularSolveOptions& options) {
  TriangularSolveOp op;
  op.options = options;
  return Apply(op, {a, b});
}

}  // namespace headrace
