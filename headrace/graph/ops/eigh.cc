#include "headrace/graph/ops/eigh.h"

#include "headrace/graph/emitter.h"
#include "headrace/graph/function.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/matrices.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

constexpr Precision kExact = Precision::kHighest;

// 1 / (w_j - w_i) where the two lie further apart than `least` (a scalar for each matrix), 0 elsewhere. [...,
// n, n]
Value InverseGaps(Value w, Value least, DType dtype) {
  const Value by_row = ExpandDims(w, -1);
  const Value gaps = ExpandDims(w, -2) - by_row;  // [i, j] is w_j - w_i
  const Value size = Abs(gaps);
  const Value apart = Greater(size, ExpandDims(ExpandDims(least, -1), -1));
  const Value zeros = ZerosLike(gaps);
  const Value inverse = Select(apart, 1.0 / Select(apart, gaps, OnesLike(gaps)), zeros);
  return Convert(inverse, dtype);
}

// Eigenvectors whose errors are the squares of what they were: one step of Ogita and Aishima, "Iterative
// refinement for symmetric eigenvalue decomposition" (2018), for vectors that are orthonormal already. Those
// of eigenvalues that lie closer than the errors stay as they are.
Value Refined(Value a, Value v, Value w) {
  const Value adjoint = Adjoint(v);
  const Value s = Matmul(adjoint, Matmul(a, v, kExact), kExact);  // the eigenvalues, and errors beside them
  const Value errors = s - DiagonalMatrix(Diagonal(s));
  const Value size = 2.0 * Sqrt(Sum(Real(errors * Conj(errors)), {-2, -1}));
  return v + Matmul(v, errors * InverseGaps(w, size, v.dtype()), kExact);
}

// Of a matrix that is Hermitian; what it makes of others is anything. Results: eigenvectors, eigenvalues.
struct EighOp final : OpOf<EighOp> {
  static constexpr std::string_view kName = "eigh";
  bool refined = true;  // or else f64 eigenvectors have errors of 1e-8: XLA rotates no further

  void Attributes(AttributeVisitor& v) override { v.Visit("refined", refined); }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    RequireSquareMatrices(x[0]);
    const Shape& shape = x[0].shape;
    return {x[0], {PartOf(x[0].dtype), Shape(std::vector<int64_t>(shape.begin(), shape.end() - 1))}};
  }
  // XLA knows it by name and makes a loop of it, Jacobi's rotations: of the lower triangle, sorted, 100
  // sweeps at most, until what is off the diagonal is small.
  void Emit(const Node& node, Emitter& e) const override {
    const TensorType& type = node.operands[0].type();
    const bool wide = PartOf(type.dtype) == DType::kF64;
    if (refined && wide) {
      return e.Expand(node, Trace("eigh", {&type, 1}, [](std::span<const Value> x) {
                        EighOp plain;
                        plain.refined = false;
                        const Values found = ApplyMany(plain, {x[0]});
                        return Values{Refined(x[0], found[0], found[1]), found[1]};
                      }));
    }
    e.Op("stablehlo.custom_call", node,
         {{"call_target_name", Quoted("Eigh")},
          {"backend_config", Quoted(fmt::format("1,1,100,{}", wide ? "1e-13" : "1e-6"))}});
  }
  // With P = v^H · da · v: dw = diag(P), dv = v · (P / (w_j - w_i) off the diagonal).
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value v = node.result(0);
    const Value w = node.result(1);
    Value dp;
    if (dy[1]) dp = DiagonalMatrix(Convert(dy[1], v.dtype()));
    if (dy[0]) {
      const Value ones = Eye(w.graph(), w.dtype(), w.dim(-1));
      const Value gaps = Sub(ExpandDims(w, -2), ExpandDims(w, -1)) + ones;
      const Value inverse_gaps = Convert((1.0 - ones) / gaps, v.dtype());
      const Value off = Matmul(MatrixTranspose(v), dy[0], kExact) * inverse_gaps;
      dp = dp ? dp + off : off;
    }
    const Value left = Matmul(Conj(v), dp, kExact);
    return {Matmul(left, MatrixTranspose(v), kExact)};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return ApplyMany(*this, {x[0].value});
  }
};

}  // namespace

std::vector<OpEntry> EighOps() { return EntriesOf<EighOp>(); }

EighResult Eigh(Value a) {
  RequireSquareMatrices("eigh", a);
  const Values found = ApplyMany(EighOp(), {0.5 * (a + Adjoint(a))});
  return {found[1], found[0]};
}

}  // namespace headrace
