#include "headrace/graph/function.h"

#include <algorithm>

#include "headrace/graph/held_functions.h"
#include "headrace/graph/rewrite.h"

namespace headrace {
namespace {

void RunBody(Function& function, const ValueFn& body) {
  const Values parameters = function.parameters();
  function.results = body(parameters);
  for (Value& result : function.results) {
    if (!result) throw GraphError("", fmt::format("{}: a result is empty", function.name));
    result = function.graph->Local(result);
  }
}

}  // namespace

Function Trace(std::string name, TypeSpan types, const ValueFn& body, std::span<const std::string> names) {
  Function function{.name = std::move(name), .graph = std::make_unique<Graph>(), .results = {}};
  for (size_t i = 0; i < types.size(); ++i) {
    function.graph->Parameter(types[i], i < names.size() ? names[i] : fmt::format("arg{}", i));
  }
  RunBody(function, body);
  return function;
}

Closure TraceClosure(std::string name, Graph& parent, TypeSpan types, const ValueFn& body) {
  Function function{.name = std::move(name), .graph = std::make_unique<Graph>(parent), .results = {}};
  for (size_t i = 0; i < types.size(); ++i) function.graph->Parameter(types[i], fmt::format("arg{}", i));
  RunBody(function, body);
  Values captured = function.graph->captured();
  return {std::make_shared<const Function>(std::move(function)), std::move(captured)};
}

Types TypesOf(std::span<const Value> values) {
  Types types;
  for (Value value : values) types.push_back(value.type());
  return types;
}

Values Inline(const Function& function, std::span<const Value> arguments, Graph& graph) {
  HR_CHECK(arguments.size() == function.parameters().size());
  Substitution<Value> known;
  for (size_t i = 0; i < arguments.size(); ++i) known.Set(function.parameters()[i], arguments[i]);
  return Rewrite(function.results, known, graph);
}

std::vector<const Node*> LiveNodes(std::span<const Value> results) {
  return NodesBehind(results, [](Value) { return false; });
}

bool Uses(const Function& function, std::string_view op) {
  return std::ranges::any_of(LiveNodes(function.results), [&](const Node* node) {
    return node->op->name() == op ||
           std::ranges::any_of(HeldFunctions(*node->op), [&](const auto& held) { return Uses(*held, op); });
  });
}

}  // namespace headrace
