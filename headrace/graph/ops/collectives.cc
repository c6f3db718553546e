#include "headrace/graph/ops/collectives.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/axis_group_text.h"
#include "headrace/graph/ops/monoid.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

// What all of them have: a group, and nothing to do in a group of one.
template <class Derived>
struct CollectiveOp : OpOf<Derived> {
  AxisGroup group;

  int Arity() const override { return 1; }
  void VisitGroup(AttributeVisitor& v) {
    VisitMesh(v, group.mesh);
    v.Visit("axes", group.axes);
  }
  const Derived& self() const { return static_cast<const Derived&>(*this); }

  void Emit(const Node& node, Emitter& e) const override {
    if (group.size() == 1) return e.Alias(node, node.operands[0]);
    self().EmitExchange(node, e);
  }
  MlirAttribute ReplicaGroups() const {
    std::vector<std::string> rows;
    const auto groups = DevicesByGroup(group);
    for (const Ints& devices : groups) rows.push_back(Bracketed(devices));
    return {"replica_groups", fmt::format("dense<[{}]> : tensor<{}x{}xi64>", fmt::join(rows, ", "),
                                          groups.size(), groups[0].size())};
  }
  static MlirAttribute Channel(Emitter& e) {
    return {"channel_handle",
            fmt::format("#stablehlo.channel_handle<handle = {}, type = 1>", e.NextChannel())};
  }
  static MlirAttribute Number(std::string_view name, int64_t value) {
    return {name, fmt::format("{} : i64", value)};
  }
};

void RequireDim(int64_t dim, const TensorType& x) {
  Require(dim >= 0 && dim < x.shape.rank(), "{} has no dimension {}", x.ToString(), dim);
}

TensorType Scaled(const TensorType& x, int64_t dim, int64_t times, int64_t parts) {
  RequireDim(dim, x);
  std::vector<int64_t> dims = x.shape.dims();
  int64_t& size = dims[static_cast<size_t>(dim)];
  Require(size % parts == 0, "dimension {} of {} does not divide into {} parts", dim, x.ToString(), parts);
  size = size / parts * times;
  return {x.dtype, Shape(dims)};
}

struct AllReduceOp final : CollectiveOp<AllReduceOp> {
  static constexpr std::string_view kName = "all_reduce";
  Reduction reduction = Reduction::kAdd;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("reduction", reduction, kReductionNames);
    VisitGroup(v);
  }
  Types Infer(TypeSpan x) const override { return {x[0]}; }
  void EmitExchange(const Node& node, Emitter& e) const {
    e.Op("stablehlo.all_reduce", node, {ReplicaGroups(), Channel(e), {"use_global_device_ids", "unit"}},
         Emitter::ReductionRegion(MlirReduction(reduction), node.types[0].dtype));
  }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    if (reduction != Reduction::kAdd)
      throw GraphError(node.scope,
                       "all_reduce: only sums have a gradient; gather the values and reduce them here");
    return {AllReduce(dy[0], group)};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {AllReduce(x[0].value, group, reduction)};
  }
};

struct AllGatherOp final : CollectiveOp<AllGatherOp> {
  static constexpr std::string_view kName = "all_gather";
  int64_t dim = 0;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("dim", dim);
    VisitGroup(v);
  }
  Types Infer(TypeSpan x) const override { return {Scaled(x[0], dim, group.size(), 1)}; }
  void EmitExchange(const Node& node, Emitter& e) const {
    e.Op("stablehlo.all_gather", node,
         {Number("all_gather_dim", dim), ReplicaGroups(), Channel(e), {"use_global_device_ids", "unit"}});
  }
  Values Gradient(const Node&, std::span<const Value> dy) const override {
    return {ReduceScatter(dy[0], static_cast<int>(dim), group)};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {AllGather(x[0].value, static_cast<int>(dim) + 1, group)};
  }
};

struct ReduceScatterOp final : CollectiveOp<ReduceScatterOp> {
  static constexpr std::string_view kName = "reduce_scatter";
  int64_t dim = 0;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("dim", dim);
    VisitGroup(v);
  }
  Types Infer(TypeSpan x) const override { return {Scaled(x[0], dim, 1, group.size())}; }
  void EmitExchange(const Node& node, Emitter& e) const {
    e.Op("stablehlo.reduce_scatter", node,
         {Number("scatter_dimension", dim), ReplicaGroups(), Channel(e), {"use_global_device_ids", "unit"}},
         Emitter::ReductionRegion(MlirReduction(Reduction::kAdd), node.types[0].dtype));
  }
  Values Gradient(const Node&, std::span<const Value> dy) const override {
    return {AllGather(dy[0], static_cast<int>(dim), group)};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {ReduceScatter(x[0].value, static_cast<int>(dim) + 1, group)};
  }
};

struct AllToAllOp final : CollectiveOp<AllToAllOp> {
  static constexpr std::string_view kName = "all_to_all";
  int64_t split_dim = 0;
  int64_t concat_dim = 0;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("split_dim", split_dim);
    v.Visit("concat_dim", concat_dim);
    VisitGroup(v);
  }
  Types Infer(TypeSpan x) const override {
    return {Scaled(Scaled(x[0], split_dim, 1, group.size()), concat_dim, group.size(), 1)};
  }
  void EmitExchange(const Node& node, Emitter& e) const {
    e.Op("stablehlo.all_to_all", node,
         {Number("split_dimension", split_dim), Number("concat_dimension", concat_dim),
          Number("split_count", group.size()), ReplicaGroups(), Channel(e)});
  }
  Values Gradient(const Node&, std::span<const Value> dy) const override {
    return {AllToAll(dy[0], static_cast<int>(concat_dim), static_cast<int>(split_dim), group)};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {AllToAll(x[0].value, static_cast<int>(split_dim) + 1, static_cast<int>(concat_dim) + 1, group)};
  }
};

struct CollectivePermuteOp final : CollectiveOp<CollectivePermuteOp> {
  static constexpr std::string_view kName = "collective_permute";
  Padding pairs;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("pairs", pairs);
    VisitGroup(v);
  }
  Types Infer(TypeSpan x) const override {
    std::vector<bool> sends(static_cast<size_t>(group.size())), gets = sends;
    for (const auto& [from, to] : pairs) {
      Require(from >= 0 && from < group.size() && to >= 0 && to < group.size(),
              "pair [{}, {}] is not within a group of {}", from, to, group.size());
      Require(!sends[static_cast<size_t>(from)] && !gets[static_cast<size_t>(to)],
              "pair [{}, {}]: a place sends once and gets once", from, to);
      sends[static_cast<size_t>(from)] = gets[static_cast<size_t>(to)] = true;
    }
    return {x[0]};
  }
  void EmitExchange(const Node& node, Emitter& e) const {
    Padding devices;
    for (const Ints& places : DevicesByGroup(group)) {
      for (const auto& [from, to] : pairs)
        devices.push_back({places[static_cast<size_t>(from)], places[static_cast<size_t>(to)]});
    }
    e.Op("stablehlo.collective_permute", node, {{"source_target_pairs", I64Matrix(devices)}, Channel(e)});
  }
  Values Gradient(const Node&, std::span<const Value> dy) const override {
    Padding back;
    for (const auto& [from, to] : pairs) back.push_back({to, from});
    return {CollectivePermute(dy[0], back, group)};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {CollectivePermute(x[0].value, pairs, group)};
  }
};

// The number of the device among all of the mesh, u32[].
struct PartitionIdOp final : OpOf<PartitionIdOp> {
  static constexpr std::string_view kName = "partition_id";
  int Arity() const override { return 0; }
  Types Infer(TypeSpan) const override { return {{DType::kU32, {}}}; }
  void Emit(const Node& node, Emitter& e) const override { e.Op("stablehlo.partition_id", node); }
  Values Gradient(const Node&, std::span<const Value>) const override { return {}; }
  Values Batch(std::span<const BatchOperand>, int64_t) const override { return {}; }
};

template <class T>
Value Exchange(T op, Value x, const AxisGroup& group) {
  for (const std::string& axis : group.axes) {
    Require(std::ranges::find(group.mesh.axes, axis, &MeshAxis::name) != group.mesh.axes.end(),
            "{}: the mesh has no axis '{}'", T::kName, axis);
  }
  op.group = group;
  return Apply(std::move(op), {x});
}

}  // namespace

std::vector<OpEntry> CollectiveOps() {
  return EntriesOf<AllReduceOp, AllGatherOp, ReduceScatterOp, AllToAllOp, CollectivePermuteOp,
                   PartitionIdOp>();
}

int64_t AxisGroup::size() const {
  int64_t size = 1;
  for (const std::string& axis : axes) size *= mesh.AxisSize(axis);
  return size;
}

Value AllReduce(Value x, const AxisGroup& group, Reduction reduction) {
  AllReduceOp op;
  op.reduction = reduction;
  return Exchange(std::move(op), x, group);
}

Value AllGather(Value x, int dim, const AxisGroup& group) {
  AllGatherOp op;
  op.dim = dim < 0 ? dim + x.rank() : dim;
  return Exchange(std::move(op), x, group);
}

Value ReduceScatter(Value x, int dim, const AxisGroup& group) {
  ReduceScatterOp op;
  op.dim = dim < 0 ? dim + x.rank() : dim;
  return Exchange(std::move(op), x, group);
}

Value AllToAll(Value x, int split_dim, int concat_dim, const AxisGroup& group) {
  AllToAllOp op;
  op.split_dim = split_dim < 0 ? split_dim + x.rank() : split_dim;
  op.concat_dim = concat_dim < 0 ? concat_dim + x.rank() : concat_dim;
  return Exchange(std::move(op), x, group);
}

Value CollectivePermute(Value x, const Padding& pairs, const AxisGroup& group) {
  CollectivePermuteOp op;
  op.pairs = pairs;
  return Exchange(std::move(op), x, group);
}

Value AxisIndex(Graph& graph, const AxisGroup& group) {
  if (group.size() == 1) return Scalar(graph, DType::kI32, 0);
  const Value device = Convert(graph.Apply(std::make_shared<const PartitionIdOp>(), {}).at(0), DType::kI32);
  const auto number = [&](int64_t n) { return Scalar(graph, DType::kI32, static_cast<double>(n)); };
  Value index = number(0);
  for (const std::string& axis : group.axes) {
    // Devices are in row-major order of the axes.
    const auto at = std::ranges::find(group.mesh.axes, axis, &MeshAxis::name);
    int64_t stride = 1;
    for (auto inner = at + 1; inner < group.mesh.axes.end(); ++inner) stride *= inner->size;
    index = index * number(at->size) + Rem(device / number(stride), number(at->size));
  }
  return index;
}

}  // namespace headrace
