#include "headrace/graph/function.h"

#include <algorithm>

#include "headrace/graph/substitution.h"

namespace headrace {

Function Trace(std::string name, TypeSpan types, const ValueFn& body, std::span<const std::string> names) {
  Function function{.name = std::move(name), .graph = std::make_unique<Graph>(), .results = {}};
  for (size_t i = 0; i < types.size(); ++i) {
    function.graph->Parameter(types[i], i < names.size() ? names[i] : fmt::format("arg{}", i));
  }
  const Values parameters = function.parameters();
  function.results = body(parameters);
  for (Value result : function.results) {
    if (!result) throw GraphError("", fmt::format("{}: a result is empty", function.name));
  }
  return function;
}

Values Inline(const Function& function, std::span<const Value> arguments, Graph& graph) {
  HR_CHECK(arguments.size() == function.parameters().size());
  Substitution<Value> substitution;
  for (size_t i = 0; i < arguments.size(); ++i) substitution.Set(function.parameters()[i], arguments[i]);
  for (const Node* node : LiveNodes(function.results)) {
    Values operands;
    for (Value operand : node->operands) operands.push_back(substitution.Get(operand));
    auto entered = graph.Enter(JoinScope(graph.scope(), node->scope));
    const Values results = graph.Apply(node->op, std::move(operands));
    for (size_t i = 0; i < results.size(); ++i)
      substitution.Set(node->result(static_cast<int>(i)), results[i]);
  }
  Values results;
  for (Value result : function.results) results.push_back(substitution.Get(result));
  return results;
}

std::vector<const Node*> LiveNodes(std::span<const Value> results) {
  if (results.empty()) return {};
  const Graph& graph = results[0].graph();
  std::vector<bool> live(graph.nodes().size(), false);
  for (Value result : results) live[static_cast<size_t>(result.node().id)] = true;
  std::vector<const Node*> nodes;
  for (size_t i = graph.nodes().size(); i-- > 0;) {
    const Node& node = graph.nodes()[i];
    if (!live[i]) continue;
    for (Value operand : node.operands) live[static_cast<size_t>(operand.node().id)] = true;
    if (node.op) nodes.push_back(&node);
  }
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace headrace
