#include "headrace/graph/ops/manual.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "headrace/graph/batch_function.h"
#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/axis_group_text.h"
#include "headrace/graph/registry.h"
#include "headrace/graph/split_gradient.h"

namespace headrace {
namespace {

std::vector<std::string> AxisNames(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const MeshAxis& axis : mesh.axes) names.push_back(axis.name);
  return names;
}

// The axes that a sharding does not name.
AxisGroup Unnamed(const Mesh& mesh, const Sharding& sharding) {
  AxisGroup group{mesh, AxisNames(mesh)};
  for (const auto& axes : sharding.dims) {
    for (const std::string& axis : axes) std::erase(group.axes, axis);
  }
  return group;
}

// The block of one device, and the whole of such blocks.
TensorType Scaled(const TensorType& type, const Mesh& mesh, const Sharding& sharding, bool to_block) {
  Require(static_cast<int>(sharding.dims.size()) == type.shape.rank(), "{} does not fit {}",
          sharding.ToSdy(true), type.ToString());
  Require(!to_block || Divides(mesh, sharding, type.shape), "{} does not divide {}", sharding.ToSdy(true),
          type.ToString());
  std::vector<int64_t> dims = type.shape.dims();
  for (size_t d = 0; d < dims.size(); ++d) {
    for (const std::string& axis : sharding.dims[d])
      dims[d] = to_block ? dims[d] / mesh.AxisSize(axis) : dims[d] * mesh.AxisSize(axis);
  }
  return {type.dtype, Shape(dims)};
}

struct ManualComputationOp final : HigherOrderOp<ManualComputationOp> {
  static constexpr std::string_view kName = "manual_computation";
  std::shared_ptr<const Function> body;
  Mesh mesh;
  std::vector<Sharding> in, out;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("body", body);
    VisitMesh(v, mesh);
  }

  Types Infer(TypeSpan x) const override {
    Require(body && body->parameters().size() == x.size() && in.size() == x.size() &&
                out.size() == body->results.size(),
            "operands, results and shardings do not match");
    for (size_t i = 0; i < x.size(); ++i) {
      const TensorType block = Scaled(x[i], mesh, in[i], true);
      Require(block == body->parameters()[i].type(), "block {} is {}, the body takes {}", i, block.ToString(),
              body->parameters()[i].type().ToString());
    }
    Types results;
    for (size_t i = 0; i < out.size(); ++i)
      results.push_back(Scaled(body->results[i].type(), mesh, out[i], false));
    return results;
  }

  void Emit(const Node& node, Emitter& e) const override {
    if (mesh.DeviceCount() == 1) return e.Expand(node, *body);
    Require(e.mesh() == mesh, "manual_computation: is for another mesh than the program");
    const auto all = [](const std::vector<Sharding>& shardings) {
      std::vector<std::string> texts;
      for (const Sharding& sharding : shardings) texts.push_back(sharding.ToSdy(true));
      return fmt::format("#sdy.sharding_per_value<[{}]>", fmt::join(texts, ", "));
    };
    std::vector<std::string> axes;
    for (const MeshAxis& axis : mesh.axes) axes.push_back(Quoted(axis.name));
    const MlirAttribute attributes[] = {
        {"in_shardings", all(in)},
        {"out_shardings", all(out)},
        {"manual_axes", fmt::format("#sdy<manual_axes{{{}}}>", fmt::join(axes, ", "))}};
    e.Op("sdy.manual_computation", node, node.operands, attributes, e.Region(*body, {}, "sdy.return"));
  }

  Values WantedGradient(const Node& node, std::span<const Value> dy,
                        const std::vector<bool>& wanted) const override;

  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    ManualComputationOp op = *this;
    std::vector<bool> batched;
    Values operands;
    for (size_t i = 0; i < x.size(); ++i) {
      batched.push_back(x[i].batched);
      operands.push_back(x[i].value);
      if (x[i].batched) op.in[i].dims.insert(op.in[i].dims.begin(), {{}});
    }
    for (Sharding& sharding : op.out) sharding.dims.insert(sharding.dims.begin(), {{}});
    op.body = BatchFunction(*body, batched, size, std::vector<bool>(out.size(), true));
    return ApplyMany(std::move(op), std::move(operands));
  }
};

// What a device keeps for the way back leaves the computation stacked along a new dimension, one for each.
Values ManualComputationOp::WantedGradient(const Node& node, std::span<const Value> dy,
                                           const std::vector<bool>& wanted) const {
  if (std::ranges::find(wanted, true) == wanted.end()) return Values(node.operands.size());
  const ManualComputationOp op = *this;  // the node is about to get another
  std::vector<bool> seeded;
  ManualComputationOp back;
  back.mesh = mesh;
  Values operands = node.operands;
  back.in = in;
  for (Value cotangent : dy) seeded.push_back(static_cast<bool>(cotangent));
  const SplitGradient split = Split(*op.body, wanted, seeded);

  Values kept;
  std::ranges::copy_if(split.needed, std::back_inserter(kept),
                       [&](Value value) { return split.ParameterOf(value) < 0; });
  ManualComputationOp forward = op;
  const std::shared_ptr<const Function> keeping = split.Forward(*op.body, kept);
  const Types blocks = TypesOf(op.body->parameters());
  forward.body = std::make_shared<const Function>(Trace(op.body->name, blocks, [&](std::span<const Value> x) {
    Values results = Inline(*keeping, x, x[0].graph());
    for (size_t i = op.out.size(); i < results.size(); ++i) results[i] = ExpandDims(results[i], 0);
    return results;
  }));
  Types more;
  for (Value value : kept) {
    Sharding stacked = Sharding::Replicated(value.rank() + 1);
    stacked.dims[0] = AxisNames(op.mesh);
    forward.out.push_back(stacked);
    back.in.push_back(stacked);
    more.push_back(WithBatch(value.type(), op.mesh.DeviceCount()));
  }
  for (Value saved :
       node.graph->Extend(node, std::make_shared<const ManualComputationOp>(std::move(forward)), more))
    operands.push_back(saved);
  for (size_t i = 0; i < dy.size(); ++i) {
    if (!dy[i]) continue;
    operands.push_back(dy[i]);
    back.in.push_back(op.out[i]);
  }

  Types types;
  for (size_t i = 0; i < operands.size(); ++i)
    types.push_back(Scaled(operands[i].type(), op.mesh, back.in[i], true));
  const auto body_back = [&](std::span<const Value> x) {
    Substitution<Value> known;
    size_t next = 0;
    for (; next < wanted.size(); ++next) known.Set(split.joint.parameters()[next], x[next]);
    for (Value value : kept) known.Set(value, Reshape(x[next++], value.shape()));
    size_t seed = 0;
    for (size_t i = 0; i < dy.size(); ++i) {
      if (!dy[i]) continue;
      // Devices that made the same result share its cotangent.
      const auto sharing = static_cast<double>(Unnamed(op.mesh, op.out[i]).size());
      known.Set(split.seed(seed++), x[next++] / sharing);
    }
    Values found = split.Back(known, x[0].graph());
    size_t at = 0;
    for (size_t i = 0; i < wanted.size(); ++i) {
      // And what they all were given collects what each owes it.
      if (wanted[i]) found[at] = AllReduce(found[at], Unnamed(op.mesh, op.in[i])), ++at;
    }
    return found;
  };
  back.body = std::make_shared<const Function>(Trace(op.body->name + "_gradient", types, body_back));
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i]) back.out.push_back(op.in[i]);
  }
  const Values found = ApplyMany(std::move(back), std::move(operands));
  Values cotangents(wanted.size());
  for (size_t i = 0, at = 0; i < wanted.size(); ++i) {
    if (wanted[i]) cotangents[i] = found[at++];
  }
  return cotangents;
}

}  // namespace

std::vector<OpEntry> ManualOps() { return EntriesOf<ManualComputationOp>(); }

Values ManualComputation(const Mesh& mesh, Values operands, std::vector<Sharding> in_shardings,
                         std::vector<Sharding> out_shardings, const ValueFn& body) {
  Require(!operands.empty(), "manual_computation: has no operands");
  Require(in_shardings.size() == operands.size(),
          "manual_computation: has {} operands and {} shardings of them", operands.size(),
          in_shardings.size());
  Types blocks;
  for (size_t i = 0; i < operands.size(); ++i)
    blocks.push_back(Scaled(operands[i].type(), mesh, in_shardings[i], true));
  ManualComputationOp op;
  op.body = std::make_shared<const Function>(Trace("manual", blocks, body));
  Require(op.body->results.size() == out_shardings.size(),
          "manual_computation: gives {} results for {} shardings", op.body->results.size(),
          out_shardings.size());
  op.mesh = mesh;
  op.in = std::move(in_shardings);
  op.out = std::move(out_shardings);
  return ApplyMany(std::move(op), std::move(operands));
}

}  // namespace headrace
