#include <array>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/gather_dims.h"
#include "headrace/graph/ops/monoid.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

constexpr std::array<std::string_view, 5> kModeNames = {"set", "add", "multiply", "maximum", "minimum"};

struct ScatterOp final : OpOf<ScatterOp> {
  static constexpr std::string_view kName = "scatter";
  GatherDims dims;
  ScatterMode mode = ScatterMode::kAdd;
  bool unique = false;
  std::shared_ptr<const Function> combine;  // in place of the mode

  void Attributes(AttributeVisitor& v) override {
    VisitGatherDims(v, dims);
    v.Visit("mode", mode, kModeNames);
    v.Visit("unique", unique);
    if (combine) v.Visit("combine", combine);
  }
  int Arity() const override { return 3; }
  Types Infer(TypeSpan x) const override {
    Require(x[0].dtype == x[2].dtype, "the updates differ from the operand in element type");
    if (combine) RequireCombine(combine.get(), x.first(1));
    if (!combine && mode != ScatterMode::kSet) RequireReducible(AsReduction(), x[0].dtype);
    const Shape expected = SlicesShape(x[0], x[1], dims, SliceSizes(x[0].shape, x[2].shape, dims));
    Require(expected == x[2].shape, "these indices take updates of {}", expected.ToString());
    return {x[0]};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.scatter", node,
         {{"scatter_dimension_numbers",
           fmt::format("#stablehlo.scatter<update_window_dims = {}, inserted_window_dims = {}, "
                       "input_batching_dims = {}, scatter_indices_batching_dims = {}, "
                       "scatter_dims_to_operand_dims = {}, index_vector_dim = {}>",
                       Bracketed(dims.offset_dims), Bracketed(dims.collapsed_dims),
                       Bracketed(dims.operand_batching_dims), Bracketed(dims.indices_batching_dims),
                       Bracketed(dims.start_index_map), dims.index_vector_dim)},
          {"indices_are_sorted", "false"},
          {"unique_indices", unique ? "true" : "false"}},
         UpdateRegion(node.types[0].dtype, e));
  }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    if (combine) {
      throw GraphError(node.scope,
                       "scatter: by a function of one's own has no gradient; use a ScatterMode that has one");
    }
    const bool sets = mode == ScatterMode::kSet && unique;
    if (mode != ScatterMode::kAdd && !sets) {
      throw GraphError(
          node.scope,
          fmt::format("scatter: '{}' {} has no gradient; use 'add'", kModeNames[static_cast<size_t>(mode)],
                      mode == ScatterMode::kSet ? "of indices that may meet" : "of updates"));
    }
    const Shape& operand = node.operands[0].shape();
    const Value indices = node.operands[1];
    const Value updates = node.operands[2];
    const Ints sizes = SliceSizes(operand, updates.shape(), dims);
    const Value picked = Gather(dy[0], indices, dims, sizes);
    const Value d_updates = Select(StartsFit(indices, operand, dims, sizes), picked, ZerosLike(picked));
    const Value d_operand =
        sets ? Scatter(dy[0], indices, ZerosLike(updates), dims, ScatterMode::kSet, true) : dy[0];
    return {d_operand, Value(), d_updates};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    const BatchOperand& indices = x[1];
    ScatterOp batched = *this;
    batched.dims = BatchedDims(dims, true, indices.batched);
    return ApplyMany(std::move(batched),
                     {BroadcastBatch(x[0], size), indices.value, BroadcastBatch(x[2], size)});
  }

 private:
  // REQUIRES: mode is not kSet
  Reduction AsReduction() const {
    switch (mode) {
      case ScatterMode::kMul:
        return Reduction::kMul;
      case ScatterMode::kMax:
        return Reduction::kMax;
      case ScatterMode::kMin:
        return Reduction::kMin;
      default:
        return Reduction::kAdd;
    }
  }

  std::string UpdateRegion(DType dtype, Emitter& e) const {
    if (combine) return e.Region(*combine);
    if (mode != ScatterMode::kSet) return Emitter::ReductionRegion(MlirReduction(AsReduction()), dtype);
    return fmt::format("{{\n    ^bb0(%a: {0}, %b: {0}):\n      stablehlo.return %b : {0}\n    }}",
                       TensorType{dtype, {}}.ToMlir());
  }
};

}  // namespace

std::vector<OpEntry> ScatterOps() { return EntriesOf<ScatterOp>(); }

Value Scatter(Value operand, Value indices, Value updates, GatherDims dims, ScatterMode mode, bool unique) {
  ScatterOp op;
  op.dims = std::move(dims);
  op.mode = mode;
  op.unique = unique;
  return Apply(op, {operand, indices, updates});
}

Value ScatterBy(const CombineFn& combine, Value operand, Value indices, Value updates, GatherDims dims,
                bool unique) {
  ScatterOp op;
  op.dims = std::move(dims);
  op.unique = unique;
  op.combine = TraceCombine({&operand, 1}, combine);
  return Apply(op, {operand, indices, updates});
}

}  // namespace headrace
