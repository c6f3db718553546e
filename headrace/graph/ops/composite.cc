#include "headrace/graph/ops/composite.h"

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/vjp.h"
#include "headrace/graph/registry.h"
#include "headrace/graph/vmap.h"

namespace headrace {
namespace {

struct CompositeOp final : OpOf<CompositeOp> {
  static constexpr std::string_view kName = "composite";
  std::string composite;
  std::string attributes;
  std::shared_ptr<const Function> decomposition;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("composite", composite);
    v.Visit("attributes", attributes);
    v.Visit("decomposition", decomposition);
  }
  int Arity() const override { return -1; }
  Types Infer(TypeSpan x) const override {
    Require(decomposition != nullptr, "has no decomposition");
    Require(std::ranges::equal(TypesOf(decomposition->parameters()), x),
            "the operands are not those of the decomposition @{}", decomposition->name);
    return TypesOf(decomposition->results);
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.composite", node,
         {{"name", Quoted("headrace." + composite)},
          {"composite_attributes", fmt::format("{{{}}}", attributes)},
          {"decomposition", e.Declare(decomposition)},
          {"version", "1 : i32"}});
  }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const auto body = [this](std::span<const Value> x) { return Inline(*decomposition, x, x[0].graph()); };
    return Vjp(composite + "_gradient", body, node.operands, dy);
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    Values arguments;
    std::vector<std::optional<int>> in_axes;
    for (const BatchOperand& operand : x) {
      arguments.push_back(operand.value);
      in_axes.push_back(operand.batched ? std::optional(0) : std::nullopt);
    }
    return Vmap([&](std::span<const Value> v) { return Inline(*decomposition, v, v[0].graph()); }, arguments,
                in_axes);
  }
};

}  // namespace

std::vector<OpEntry> CompositeOps() { return EntriesOf<CompositeOp>(); }

Values Composite(std::string name, Values operands, const ValueFn& body, std::string attributes) {
  Require(!operands.empty(), "composite: {} has no operands", name);
  CompositeOp op;
  op.decomposition = std::make_shared<const Function>(Trace(name, TypesOf(operands), body));
  op.composite = std::move(name);
  op.attributes = std::move(attributes);
  return ApplyMany(std::move(op), std::move(operands));
}

}  // namespace headrace
