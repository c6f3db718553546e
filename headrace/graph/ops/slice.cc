#include "headrace/graph/ops/slice.h"

#include <algorithm>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

Value ZeroOf(Value x) { return Scalar(x.graph(), x.dtype(), 0); }

struct SliceOp final : OpOf<SliceOp> {
  static constexpr std::string_view kName = "slice";
  Ints starts, limits, strides;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("starts", starts);
    v.Visit("limits", limits);
    v.Visit("strides", strides);
  }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    const auto rank = static_cast<size_t>(x[0].shape.rank());
    Require(starts.size() == rank && limits.size() == rank && strides.size() == rank,
            "starts {}, limits {} and strides {} must have {} entries each", Bracketed(starts),
            Bracketed(limits), Bracketed(strides), rank);
    std::vector<int64_t> dims;
    for (size_t i = 0; i < rank; ++i) {
      const int64_t size = x[0].shape[static_cast<int>(i)];
      Require(0 <= starts[i] && starts[i] <= limits[i] && limits[i] <= size && strides[i] >= 1,
              "dimension {}: [{}:{}:{}] is not within {}", i, starts[i], limits[i], strides[i], size);
      dims.push_back((limits[i] - starts[i] + strides[i] - 1) / strides[i]);
    }
    return {{x[0].dtype, Shape(dims)}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.slice", node,
         {{"start_indices", I64Array(starts)},
          {"limit_indices", I64Array(limits)},
          {"strides", I64Array(strides)}});
  }
  // Puts the elements back where they came from, zeros elsewhere.
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Shape& from = node.operands[0].shape();
    Padding padding;
    Ints interior;
    for (size_t i = 0; i < starts.size(); ++i) {
      const int64_t count = dy[0].dim(static_cast<int>(i));
      const int64_t spread = count == 0 ? 0 : (count - 1) * strides[i] + 1;
      padding.push_back({starts[i], from[static_cast<int>(i)] - starts[i] - spread});
      interior.push_back(strides[i] - 1);
    }
    return {Pad(dy[0], ZeroOf(dy[0]), padding, interior)};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    Ints batch_starts = starts, batch_limits = limits, batch_strides = strides;
    batch_starts.insert(batch_starts.begin(), 0);
    batch_limits.insert(batch_limits.begin(), size);
    batch_strides.insert(batch_strides.begin(), 1);
    return {Slice(x[0].value, batch_starts, batch_limits, batch_strides)};
  }
};

struct PadOp final : OpOf<PadOp> {
  static constexpr std::string_view kName = "pad";
  Padding padding;
  Ints interior;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("padding", padding);
    v.Visit("interior", interior);
  }
  int Arity() const override { return 2; }
  Types Infer(TypeSpan x) const override {
    const auto rank = static_cast<size_t>(x[0].shape.rank());
    Require(x[1].shape.rank() == 0 && x[1].dtype == x[0].dtype,
            "the fill must be a scalar of the operand's element type");
    Require(padding.size() == rank && interior.size() == rank,
            "padding and interior must have {} entries each", rank);
    std::vector<int64_t> dims;
    for (size_t i = 0; i < rank; ++i) {
      const int64_t size = x[0].shape[static_cast<int>(i)];
      Require(interior[i] >= 0, "dimension {}: interior padding {} is negative", i, interior[i]);
      dims.push_back(size + std::max<int64_t>(size - 1, 0) * interior[i] + padding[i][0] + padding[i][1]);
      Require(dims.back() >= 0, "dimension {}: padding ({}, {}) removes more than there is", i, padding[i][0],
              padding[i][1]);
    }
    return {{x[0].dtype, Shape(dims)}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    Ints low, high;
    for (const auto& [l, h] : padding) {
      low.push_back(l);
      high.push_back(h);
    }
    e.Op("stablehlo.pad", node,
         {{"edge_padding_low", I64Array(low)},
          {"edge_padding_high", I64Array(high)},
          {"interior_padding", I64Array(interior)}});
  }
  // What became of the operand is cut out again: negative padding removes the edges, a strided slice the
  // interior.
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Shape& from = node.operands[0].shape();
    Padding removed;
    Ints starts, limits, strides;
    for (size_t i = 0; i < padding.size(); ++i) {
      removed.push_back({-padding[i][0], -padding[i][1]});
      starts.push_back(0);
      const int64_t size = from[static_cast<int>(i)];
      limits.push_back(size + std::max<int64_t>(size - 1, 0) * interior[i]);
      strides.push_back(interior[i] + 1);
    }
    const Value d_operand = Slice(Pad(dy[0], ZeroOf(dy[0]), removed), starts, limits, strides);
    return {d_operand, Sum(dy[0]) - Sum(d_operand)};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    Padding batch_padding = padding;
    Ints batch_interior = interior;
    batch_padding.insert(batch_padding.begin(), {0, 0});
    batch_interior.insert(batch_interior.begin(), 0);
    if (!x[1].batched) return {Pad(x[0].value, x[1].value, batch_padding, batch_interior)};
    // Every example has a fill of its own: pad with a marker and put the fills where it shows.
    const Value operand = BroadcastBatch(x[0], size);
    const Value padded = Pad(operand, ZeroOf(operand), batch_padding, batch_interior);
    const Value kept = Pad(Full(operand.graph(), {DType::kPred, operand.shape()}, 1),
                           Scalar(operand.graph(), DType::kPred, 0), batch_padding, batch_interior);
    Ints fill_dims(static_cast<size_t>(padded.rank()), 1);
    fill_dims[0] = size;
    return {Select(kept, padded, Reshape(x[1].value, fill_dims))};
  }
};

struct ConcatenateOp final : OpOf<ConcatenateOp> {
  static constexpr std::string_view kName = "concatenate";
  int64_t dimension = 0;

  void Attributes(AttributeVisitor& v) override { v.Visit("dimension", dimension); }
  int Arity() const override { return -1; }
  Types Infer(TypeSpan x) const override {
    Require(!x.empty(), "needs at least one operand");
    Require(dimension >= 0 && dimension < x[0].shape.rank(), "dimension {} is not one of the operands'",
            dimension);
    std::vector<int64_t> dims = x[0].shape.dims();
    int64_t& total = dims[static_cast<size_t>(dimension)];
    total = 0;
    for (const TensorType& type : x) {
      Require(type.dtype == x[0].dtype && type.shape.rank() == x[0].shape.rank(),
              "element types or ranks differ");
      for (int axis = 0; axis < type.shape.rank(); ++axis) {
        Require(axis == dimension || type.shape[axis] == x[0].shape[axis], "sizes of dimension {} differ",
                axis);
      }
      total += type.shape[static_cast<int>(dimension)];
    }
    return {{x[0].dtype, Shape(dims)}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.concatenate", node, {{"dimension", fmt::format("{} : i64", dimension)}});
  }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    Values pieces;
    int64_t start = 0;
    const int axis = static_cast<int>(dimension);
    for (Value operand : node.operands) {
      pieces.push_back(Slice(dy[0], axis, start, start + operand.dim(axis)));
      start += operand.dim(axis);
    }
    return pieces;
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    return {Concatenate(BroadcastBatch(x, size), static_cast<int>(dimension) + 1)};
  }
};

}  // namespace

std::vector<OpEntry> SliceOps() { return EntriesOf<SliceOp, PadOp, ConcatenateOp>(); }

Value Slice(Value x, Ints starts, Ints limits, Ints strides) {
  SliceOp op;
  op.strides = strides.empty() ? Ints(starts.size(), 1) : std::move(strides);
  op.starts = std::move(starts);
  op.limits = std::move(limits);
  return Apply(op, {x});
}

Value Slice(Value x, int axis, int64_t start, int64_t limit) {
  Ints starts(static_cast<size_t>(x.rank()), 0);
  Ints limits = x.shape().dims();
  const auto at = static_cast<size_t>(axis < 0 ? axis + x.rank() : axis);
  starts.at(at) = start;
  limits.at(at) = limit;
  return Slice(x, std::move(starts), std::move(limits));
}

Value Pad(Value x, Value fill, Padding padding, Ints interior) {
  PadOp op;
  op.interior = interior.empty() ? Ints(padding.size(), 0) : std::move(interior);
  op.padding = std::move(padding);
  return Apply(op, {x, fill});
}

Value Concatenate(Values values, int axis) {
  ConcatenateOp op;
  op.dimension = axis < 0 ? axis + values.at(0).rank() : axis;
  return Apply(op, std::move(values));
}

Value Stack(const Values& values, int axis) {
  Values rows;
  for (Value value : values) rows.push_back(ExpandDims(value, axis));
  return Concatenate(std::move(rows), axis);
}

}  // namespace headrace
