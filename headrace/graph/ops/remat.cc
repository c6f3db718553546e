#include "headrace/graph/ops/remat.h"

#include <algorithm>

#include "headrace/graph/batch_function.h"
#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"
#include "headrace/graph/split_gradient.h"

namespace headrace {
namespace {

constexpr std::string_view kPolicies[] = {"none", "dots", "full"};

struct RematOp final : HigherOrderOp<RematOp> {
  static constexpr std::string_view kName = "remat";
  std::shared_ptr<const Function> body;
  RematPolicy policy = RematPolicy::kFull;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("body", body);
    v.Visit("policy", policy, kPolicies);
  }
  Types Infer(TypeSpan x) const override {
    Require(body && std::ranges::equal(TypesOf(body->parameters()), x),
            "the operands are not those of its body");
    return TypesOf(body->results);
  }
  void Emit(const Node& node, Emitter& e) const override { e.Expand(node, *body); }

  Values WantedGradient(const Node& node, std::span<const Value> dy,
                        const std::vector<bool>& wanted) const override {
    if (std::ranges::find(wanted, true) == wanted.end()) return Values(node.operands.size());
    std::vector<bool> seeded;
    for (Value cotangent : dy) seeded.push_back(static_cast<bool>(cotangent));
    const SplitGradient split = Split(*body, wanted, seeded);
    const Values kept = policy == RematPolicy::kDots ? DotsRead(split) : Values();
    const Values saved = Keep(node, split, kept);

    // Behind the barrier, so that the second run waits for the cotangents and is not merged with the first.
    Values held = node.operands;
    held.insert(held.end(), saved.begin(), saved.end());
    std::ranges::copy_if(dy, std::back_inserter(held), [](Value cotangent) { return bool(cotangent); });
    held = OptimizationBarrier(std::move(held));
    Substitution<Value> known;
    size_t next = 0;
    for (size_t i = 0; i < wanted.size(); ++i) known.Set(split.joint.parameters()[i], held[next++]);
    for (Value value : kept) known.Set(value, held[next++]);
    for (size_t i = 0; next < held.size(); ++i) known.Set(split.seed(i), held[next++]);
    const Values found = split.Back(known, InnermostGraph(held));

    Values cotangents(wanted.size());
    for (size_t i = 0, at = 0; i < wanted.size(); ++i) {
      if (wanted[i]) cotangents[i] = found[at++];
    }
    return cotangents;
  }

  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    auto [batched, operands] = MaskOf(x);
    RematOp op = *this;
    op.body = BatchFunction(*body, batched, size, std::vector<bool>(body->results.size(), true));
    return ApplyMany(std::move(op), std::move(operands));
  }

 private:
  // The node gets the values as further results.
  static Values Keep(const Node& node, const SplitGradient& split, const Values& values) {
    if (values.empty()) return {};
    RematOp op = dynamic_cast<const RematOp&>(*node.op);
    op.body = split.Forward(*op.body, values);
    return node.graph->Extend(node, std::make_shared<const RematOp>(std::move(op)), TypesOf(values));
  }

  // The products of the forward half that the way back reads, when it finds all of them kept.
  static Values DotsRead(const SplitGradient& split) {
    const std::span<const Value> seeds = std::span(split.joint.parameters()).subspan(split.parameter_count);
    const std::vector<bool> comes_back = DependentNodes(*split.joint.graph, seeds);
    const auto is_kept = [&](Value value) {
      const Node& node = value.node();
      return node.op && !comes_back[static_cast<size_t>(node.id)] &&
             (node.op->name() == "dot_general" || node.op->name() == "convolution");
    };
    Values kept;
    for (const Node* node : NodesBehind(split.joint.results, is_kept)) {
      for (Value operand : node->operands) {
        if (is_kept(operand) && std::ranges::find(kept, operand) == kept.end()) kept.push_back(operand);
      }
    }
    return kept;
  }
};

}  // namespace

std::vector<OpEntry> RematOps() { return EntriesOf<RematOp>(); }

Values Remat(const ValueFn& body, Values operands, RematPolicy policy) {
  if (policy == RematPolicy::kNone) return body(operands);
  Require(!operands.empty(), "remat: has no operands");
  Graph& graph = InnermostGraph(operands);
  Closure closure = TraceClosure("remat", graph, TypesOf(operands), body);
  operands.insert(operands.end(), closure.captured.begin(), closure.captured.end());
  RematOp op;
  op.body = std::move(closure.function);
  op.policy = policy;
  return graph.Apply(std::make_shared<const RematOp>(std::move(op)), std::move(operands));
}

}  // namespace headrace
