#include "headrace/graph/split_gradient.h"

#include <algorithm>

#include "headrace/graph/gradient.h"

namespace headrace {
namespace {

bool IsCheap(const Node& node) {
  const std::string_view name = node.op->name();
  if (name == "convert") return ByteSize(node.operands[0].dtype()) <= ByteSize(node.types[0].dtype);
  return name == "constant" || name == "iota" || name == "broadcast_in_dim" || name == "reshape";
}

// What of the forward half the results of joint read.
Values Needed(const Function& joint, std::span<const Value> seeds) {
  const std::vector<bool> comes_back = DependentNodes(*joint.graph, seeds);
  Substitution<char> seen;
  Values needed;
  Values to_visit = joint.results;
  while (!to_visit.empty()) {
    const Value value = to_visit.back();
    to_visit.pop_back();
    if (std::exchange(seen.Get(value), 1)) continue;
    const Node& node = value.node();
    if (comes_back[static_cast<size_t>(node.id)] || (node.op && IsCheap(node))) {
      to_visit.insert(to_visit.end(), node.operands.begin(), node.operands.end());
    } else {
      needed.push_back(value);
    }
  }
  std::ranges::sort(needed, {}, [](Value value) { return std::pair(value.node().id, value.result()); });
  return needed;
}

}  // namespace

int SplitGradient::ParameterOf(Value value) const {
  return value.node().op ? -1 : value.node().id;  // parameters are made first
}

std::shared_ptr<const Function> SplitGradient::Forward(const Function& function,
                                                       std::span<const Value> more) const {
  const auto body = [&](std::span<const Value> x) {
    Substitution<Value> known;
    for (size_t i = 0; i < x.size(); ++i) known.Set(joint.parameters()[i], x[i]);
    Values wanted = results;
    wanted.insert(wanted.end(), more.begin(), more.end());
    return Rewrite(wanted, known, x[0].graph());
  };
  return std::make_shared<const Function>(Trace(function.name, TypesOf(function.parameters()), body));
}

SplitGradient Split(const Function& function, const std::vector<bool>& wanted,
                    const std::vector<bool>& seeded) {
  HR_CHECK(wanted.size() == function.parameters().size() && seeded.size() == function.results.size());
  SplitGradient split{.joint = {}, .results = {}, .needed = {}, .parameter_count = wanted.size()};
  Types types = TypesOf(function.parameters());
  for (size_t i = 0; i < seeded.size(); ++i) {
    if (seeded[i]) types.push_back(function.results[i].type());
  }
  split.joint = Trace(function.name + "_gradient", types, [&](std::span<const Value> x) {
    split.results = Inline(function, x.first(wanted.size()), x[0].graph());
    Values inputs, outputs;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i]) inputs.push_back(x[i]);
    }
    for (size_t i = 0; i < seeded.size(); ++i) {
      if (seeded[i]) outputs.push_back(split.results[i]);
    }
    return Gradient(outputs, inputs, x.subspan(wanted.size()));
  });
  split.needed = Needed(split.joint, std::span(split.joint.parameters()).subspan(wanted.size()));
  return split;
}

std::vector<bool> DependentNodes(const Graph& graph, std::span<const Value> values) {
  std::vector<bool> depends(graph.nodes().size(), false);
  for (Value value : values) depends[static_cast<size_t>(value.node().id)] = true;
  for (const Node& node : graph.nodes()) {
    for (Value operand : node.operands) {
      if (depends[static_cast<size_t>(operand.node().id)]) depends[static_cast<size_t>(node.id)] = true;
    }
  }
  return depends;
}

std::vector<bool> DependentResults(const Function& function, const std::vector<bool>& active) {
  Values from;
  for (size_t i = 0; i < active.size(); ++i) {
    if (active[i]) from.push_back(function.parameters()[i]);
  }
  const std::vector<bool> depends = DependentNodes(*function.graph, from);
  std::vector<bool> results;
  for (Value result : function.results) results.push_back(depends[static_cast<size_t>(result.node().id)]);
  return results;
}

}  // namespace headrace
