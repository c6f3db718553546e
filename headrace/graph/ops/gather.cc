#include "headrace/graph/ops/gather.h"

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/gather_dims.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

struct GatherOp final : OpOf<GatherOp> {
  static constexpr std::string_view kName = "gather";
  GatherDims dims;
  Ints slice_sizes;

  void Attributes(AttributeVisitor& v) override {
    VisitGatherDims(v, dims);
    v.Visit("slice_sizes", slice_sizes);
  }
  int Arity() const override { return 2; }
  Types Infer(TypeSpan x) const override {
    return {{x[0].dtype, SlicesShape(x[0], x[1], dims, slice_sizes)}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.gather", node,
         {{"dimension_numbers",
           fmt::format("#stablehlo.gather<offset_dims = {}, collapsed_slice_dims = {}, "
                       "operand_batching_dims = {}, start_indices_batching_dims = {}, start_index_map = {}, "
                       "index_vector_dim = {}>",
                       Bracketed(dims.offset_dims), Bracketed(dims.collapsed_dims),
                       Bracketed(dims.operand_batching_dims), Bracketed(dims.indices_batching_dims),
                       Bracketed(dims.start_index_map), dims.index_vector_dim)},
          {"slice_sizes", I64Array(slice_sizes)},
          {"indices_are_sorted", "false"}});
  }
  // Cotangents go where the slices came from; those that were moved back, to where they were moved.
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value operand = node.operands[0];
    const Value starts = ClampStarts(node.operands[1], operand.shape(), dims, slice_sizes);
    return {Scatter(ZerosLike(operand), starts, dy[0], dims, ScatterMode::kAdd), Value()};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    Ints batched_sizes = slice_sizes;
    if (x[0].batched) batched_sizes.insert(batched_sizes.begin(), x[1].batched ? 1 : size);
    return {Gather(x[0].value, x[1].value, BatchedDims(dims, x[0].batched, x[1].batched), batched_sizes)};
  }
};

}  // namespace

std::vector<OpEntry> GatherOps() { return EntriesOf<GatherOp>(); }

Value Gather(Value operand, Value indices, GatherDims dims, Ints slice_sizes) {
  GatherOp op;
  op.dims = std::move(dims);
  op.slice_sizes = std::move(slice_sizes);
  return Apply(op, {operand, indices});
}

}  // namespace headrace
