#include "headrace/graph/ops/composite.h"

#include "headrace/graph/emitter.h"
#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
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
  // The gradient is traced apart and put in whole: taken in place, it would also run through nodes by which
  // one operand depends on another.
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    Values arguments = node.operands;
    std::vector<int> seed_of(dy.size(), -1);  // by result: the argument that is its cotangent
    for (size_t i = 0; i < dy.size(); ++i) {
      if (!dy[i]) continue;
      seed_of[i] = static_cast<int>(arguments.size());
      arguments.push_back(dy[i]);
    }
    std::vector<size_t> wanted;
    for (size_t i = 0; i < node.operands.size(); ++i) {
      if (IsFloat(node.operands[i].dtype())) wanted.push_back(i);
    }
    const Function vjp = Trace(composite + "_gradient", TypesOf(arguments), [&](std::span<const Value> x) {
      const Values results = Inline(*decomposition, x.first(node.operands.size()), x[0].graph());
      Values inputs, seeds;
      for (size_t i : wanted) inputs.push_back(x[i]);
      for (int at : seed_of) seeds.push_back(at < 0 ? Value() : x[static_cast<size_t>(at)]);
      return headrace::Gradient(results, inputs, seeds);
    });
    const Values found = headrace::Inline(vjp, arguments, arguments[0].graph());
    Values cotangents(node.operands.size());
    for (size_t i = 0; i < wanted.size(); ++i) cotangents[wanted[i]] = found[i];
    return cotangents;
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
