#include "headrace/graph/ops/dynamic_slice.h"

#include <algorithm>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/gather_dims.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

void RequireSlice(const Shape& x, const Ints& sizes, TypeSpan starts) {
  const int rank = x.rank();
  Require(static_cast<int>(sizes.size()) == rank, "sizes {} must have {} entries", Bracketed(sizes), rank);
  Require(static_cast<int>(starts.size()) == rank, "has {} starts for {} dimensions", starts.size(), rank);
  for (const TensorType& start : starts) {
    Require(IsInteger(start.dtype) && start.shape.rank() == 0 && start == starts[0],
            "starts are integer scalars of one type");
  }
  for (int axis = 0; axis < rank; ++axis) {
    const int64_t size = sizes[static_cast<size_t>(axis)];
    Require(size >= 0 && size <= x[axis], "dimension {}: {} elements are not within {}", axis, size, x[axis]);
  }
}

// A batch whose examples have starts of their own is a gather or a scatter of one slice each: the dimensions
// of that, before there is a batch.
GatherDims OneSlice(int rank) {
  GatherDims dims;
  for (int axis = 0; axis < rank; ++axis) {
    dims.offset_dims.push_back(axis);
    dims.start_index_map.push_back(axis);
  }
  return dims;
}

// Scalars, each with or without a batch, as index vectors [batch, rank].
Value IndexVectors(std::span<const BatchOperand> starts, int64_t size) {
  Values columns;
  for (const BatchOperand& start : starts) columns.push_back(ExpandDims(BroadcastBatch(start, size), 1));
  return Concatenate(columns, 1);
}

bool AnyBatched(std::span<const BatchOperand> operands) {
  return std::ranges::any_of(operands, &BatchOperand::batched);
}

// Starts without a batch, with 0 in front for the batch of what they index.
Values StartsBehindBatch(std::span<const BatchOperand> starts, Graph& graph) {
  Values values;
  for (const BatchOperand& start : starts) values.push_back(start.value);
  values.insert(values.begin(), values.empty() ? Scalar(graph, DType::kI32, 0) : ZerosLike(values[0]));
  return values;
}

struct DynamicSliceOp final : OpOf<DynamicSliceOp> {
  static constexpr std::string_view kName = "dynamic_slice";
  Ints sizes;

  void Attributes(AttributeVisitor& v) override { v.Visit("sizes", sizes); }
  int Arity() const override { return -1; }
  Types Infer(TypeSpan x) const override {
    Require(!x.empty(), "has no operand");
    RequireSlice(x[0].shape, sizes, x.subspan(1));
    return {{x[0].dtype, Shape(sizes)}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.dynamic_slice", node, {{"slice_sizes", I64Array(sizes)}});
  }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Values starts(node.operands.begin() + 1, node.operands.end());
    Values cotangents(node.operands.size());
    cotangents[0] = DynamicUpdateSlice(ZerosLike(node.operands[0]), dy[0], starts);
    return cotangents;
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    const auto starts = x.subspan(1);
    Ints batched_sizes = sizes;
    if (!AnyBatched(starts)) {
      batched_sizes.insert(batched_sizes.begin(), size);
      return {DynamicSlice(x[0].value, StartsBehindBatch(starts, x[0].value.graph()), batched_sizes)};
    }
    if (x[0].batched) batched_sizes.insert(batched_sizes.begin(), 1);
    return {Gather(x[0].value, IndexVectors(starts, size),
                   BatchedDims(OneSlice(static_cast<int>(sizes.size())), x[0].batched, true), batched_sizes)};
  }
};

struct DynamicUpdateSliceOp final : OpOf<DynamicUpdateSliceOp> {
  static constexpr std::string_view kName = "dynamic_update_slice";

  int Arity() const override { return -1; }
  Types Infer(TypeSpan x) const override {
    Require(x.size() >= 2, "takes a value, an update and starts");
    Require(x[0].dtype == x[1].dtype, "the update differs in element type");
    RequireSlice(x[0].shape, x[1].shape.dims(), x.subspan(2));
    return {x[0]};
  }
  void Emit(const Node& node, Emitter& e) const override { e.Op("stablehlo.dynamic_update_slice", node); }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value update = node.operands[1];
    const Values starts(node.operands.begin() + 2, node.operands.end());
    Values cotangents(node.operands.size());
    cotangents[0] = DynamicUpdateSlice(dy[0], ZerosLike(update), starts);
    cotangents[1] = DynamicSlice(dy[0], starts, update.shape().dims());
    return cotangents;
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    const Value operand = BroadcastBatch(x[0], size);
    const Value update = BroadcastBatch(x[1], size);
    const auto starts = x.subspan(2);
    if (!AnyBatched(starts))
      return {DynamicUpdateSlice(operand, update, StartsBehindBatch(starts, operand.graph()))};
    // A scatter leaves out what does not fit, so the starts are moved back here.
    const GatherDims dims = BatchedDims(OneSlice(update.rank() - 1), true, true);
    Ints sizes = update.shape().dims();
    sizes[0] = 1;
    const Value vectors = ClampStarts(IndexVectors(starts, size), operand.shape(), dims, sizes);
    return {Scatter(operand, vectors, update, dims, ScatterMode::kSet, true)};
  }
};

}  // namespace

std::vector<OpEntry> DynamicSliceOps() { return EntriesOf<DynamicSliceOp, DynamicUpdateSliceOp>(); }

Value DynamicSlice(Value x, Values starts, Ints sizes) {
  DynamicSliceOp op;
  op.sizes = std::move(sizes);
  Values operands = std::move(starts);
  operands.insert(operands.begin(), x);
  return Apply(op, std::move(operands));
}

Value DynamicUpdateSlice(Value x, Value update, Values starts) {
  Values operands = std::move(starts);
  operands.insert(operands.begin(), {x, update});
  return Apply(DynamicUpdateSliceOp(), std::move(operands));
}

}  // namespace headrace
