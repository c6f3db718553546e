// Rewrite: nodes of one graph made again in another, with other values in place of some. What transforms are
// made of. Internal to `graph`.
#pragma once

#include <concepts>
#include <vector>

#include "headrace/graph/substitution.h"

namespace headrace {

// The nodes that `results` depend on, in order, as far as values that `is_known` already; parameters are not
// among them.
template <std::predicate<Value> IsKnown>
std::vector<const Node*> NodesBehind(std::span<const Value> results, const IsKnown& is_known) {
  if (results.empty()) return {};
  const Graph& graph = results[0].graph();
  std::vector<bool> needed(graph.nodes().size(), false);
  auto need = [&](Value value) {
    if (!is_known(value)) needed[static_cast<size_t>(value.node().id)] = true;
  };
  for (Value result : results) need(result);
  std::vector<const Node*> nodes;
  for (size_t i = needed.size(); i-- > 0;) {
    if (!needed[i]) continue;
    const Node& node = graph.nodes()[i];
    for (Value operand : node.operands) need(operand);
    if (node.op) nodes.push_back(&node);
  }
  return {nodes.rbegin(), nodes.rend()};
}

// The results in the graph `into`: what `known` has for them, else made of what it has for the values behind
// them. Leaves in `known` all that it made. REQUIRES: `known` has each parameter that they depend on
Values Rewrite(std::span<const Value> results, Substitution<Value>& known, Graph& into);

}  // namespace headrace
