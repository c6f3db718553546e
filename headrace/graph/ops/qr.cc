#include "headrace/graph/ops/qr.h"

#include <algorithm>

#include "headrace/graph/emitter.h"
#include "headrace/graph/function.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/matrices.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

// The type with other last two dimensions; a size of -1 leaves the dimension out.
TensorType WithLast(const TensorType& type, int64_t rows, int64_t columns) {
  Ints dims(type.shape.begin(), type.shape.end() - 2);
  if (rows >= 0) dims.push_back(rows);
  dims.push_back(columns);
  return {type.dtype, Shape(std::move(dims))};
}

struct Sizes {
  explicit Sizes(const TensorType& type)
      : rows(type.shape[type.shape.rank() - 2]),
        columns(type.shape[type.shape.rank() - 1]),
        least(std::min(rows, columns)) {}
  int64_t rows, columns, least;
};

[[noreturn]] void NoGradient(const Node& node) {
  throw GraphError(node.scope, fmt::format("{}: has no gradient; qr has one", node.op->name()));
}

// XLA knows this one and the next by name, and makes loops of them where the device has nothing of its own.
struct HouseholderQrOp final : OpOf<HouseholderQrOp> {
  static constexpr std::string_view kName = "householder_qr";
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    RequireMatrices(x[0]);
    return {x[0], WithLast(x[0], -1, Sizes(x[0]).least)};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.custom_call", node, {{"call_target_name", Quoted("Qr")}});
  }
  Values Gradient(const Node& node, std::span<const Value>) const override { NoGradient(node); }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return ApplyMany(*this, {x[0].value});
  }
};

struct HouseholderProductOp final : OpOf<HouseholderProductOp> {
  static constexpr std::string_view kName = "householder_product";
  int Arity() const override { return 2; }
  Types Infer(TypeSpan x) const override {
    RequireMatrices(x[0]);
    const Sizes sizes(x[0]);
    Require(sizes.rows >= sizes.columns && x[1] == WithLast(x[0], -1, sizes.columns),
            "takes [..., m, k] with k at most m, and [..., k] of the same element type");
    return {x[0]};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.custom_call", node,
         {{"call_target_name", Quoted("ProductOfElementaryHouseholderReflectors")}});
  }
  Values Gradient(const Node& node, std::span<const Value>) const override { NoGradient(node); }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    return {headrace::Apply(*this, BroadcastBatch(x, size))};
  }
};

// In conjugated cotangents g, with rows >= columns: ga = (gq + q · (x + x^H)) · r^-H, x the upper triangle of
// gr · r^H - q^H · gq with half of the diagonal (Walter and Lehmann, 2010, for real matrices).
Value TallGradient(Value q, Value r, Value gq, Value gr) {
  constexpr Precision kExact = Precision::kHighest;
  const Value skew = Matmul(Triu(gr), Adjoint(r), kExact) - Matmul(Adjoint(q), gq, kExact);
  const Value x = Triu(skew) - 0.5 * DiagonalMatrix(Diagonal(skew));
  const Value numerator = gq + Matmul(q, x + Adjoint(x), kExact);
  return TriangularSolve(r, numerator,
                         {.left_side = false, .lower = false, .transpose_a = TransposeA::kAdjoint});
}

Values Decompose(Value a) {
  const int64_t least = Sizes(a.type()).least;
  const auto [packed, taus] = HouseholderQr(a);
  return {HouseholderProduct(Slice(packed, -1, 0, least), taus), Triu(Slice(packed, -2, 0, least))};
}

struct QrOp final : OpOf<QrOp> {
  static constexpr std::string_view kName = "qr";
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    RequireMatrices(x[0]);
    const Sizes sizes(x[0]);
    return {WithLast(x[0], sizes.rows, sizes.least), WithLast(x[0], sizes.least, sizes.columns)};
  }
  void Emit(const Node& node, Emitter& e) const override {
    const Types types = {node.operands[0].type()};
    e.Expand(node, Trace("qr", types, [](std::span<const Value> x) { return Decompose(x[0]); }));
  }
  // Columns beyond the rows are q^H times what they were, and q has no part in what the others are.
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value a = node.operands[0];
    const Value q = node.result(0);
    const Value r = node.result(1);
    Value gq = dy[0] ? Conj(dy[0]) : ZerosLike(q);
    const Value gr = dy[1] ? Conj(dy[1]) : ZerosLike(r);
    const Sizes sizes(a.type());
    if (sizes.rows >= sizes.columns) return {Conj(TallGradient(q, r, gq, gr))};
    const Value beyond = Slice(gr, -1, sizes.rows, sizes.columns);
    gq = gq + Matmul(Slice(a, -1, sizes.rows, sizes.columns), Adjoint(beyond), Precision::kHighest);
    const Value first = TallGradient(q, Slice(r, -1, 0, sizes.rows), gq, Slice(gr, -1, 0, sizes.rows));
    return {Conj(Concatenate({first, Matmul(q, beyond, Precision::kHighest)}, -1))};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return ApplyMany(*this, {x[0].value});
  }
};

}  // namespace

std::vector<OpEntry> QrOps() { return EntriesOf<HouseholderQrOp, HouseholderProductOp, QrOp>(); }

QrResult Qr(Value a) {
  const Values found = ApplyMany(QrOp(), {a});
  return {found[0], found[1]};
}

HouseholderQrResult HouseholderQr(Value a) {
  const Values found = ApplyMany(HouseholderQrOp(), {a});
  return {found[0], found[1]};
}

Value HouseholderProduct(Value packed, Value taus) { return Apply(HouseholderProductOp(), {packed, taus}); }

}  // namespace headrace
