#include "headrace/graph/verify.h"

#include <algorithm>

#include "headrace/graph/held_functions.h"
#include "headrace/graph/op.h"

namespace headrace {
namespace {

template <class... Args>
Status Wrong(const Node& node, fmt::format_string<Args...> what, Args&&... args) {
  return Error(Code::kInternal, "node {} ({}): {}", node.id, node.op ? node.op->name() : "parameter",
               fmt::format(what, std::forward<Args>(args)...));
}

// A value that may be used where `limit` nodes precede.
Status CheckValue(const Graph& graph, Value value, size_t limit) {
  if (!value) return Error(Code::kInternal, "is empty");
  if (&value.graph() != &graph) return Error(Code::kInternal, "belongs to another graph");
  const auto id = static_cast<size_t>(value.node().id);
  if (id >= limit) return Error(Code::kInternal, "is node {}, which comes later", id);
  if (&graph.nodes()[id] != &value.node()) return Error(Code::kInternal, "is not the node {} it says", id);
  if (value.result() < 0 || static_cast<size_t>(value.result()) >= value.node().types.size())
    return Error(Code::kInternal, "is result {} of a node that has {}", value.result(),
                 value.node().types.size());
  return Ok();
}

Status CheckTypes(const Node& node) {
  Types operands;
  for (Value operand : node.operands) operands.push_back(operand.type());
  const int arity = node.op->Arity();
  if (arity >= 0 && arity != static_cast<int>(operands.size()))
    return Wrong(node, "has {} operands, not {}", operands.size(), arity);
  try {
    const Types inferred = node.op->Infer(operands);
    if (inferred.size() != node.types.size())
      return Wrong(node, "has {} results, the op gives {}", node.types.size(), inferred.size());
    for (size_t i = 0; i < inferred.size(); ++i) {
      if (inferred[i] != node.types[i])
        return Wrong(node, "result {} is {}, the op gives {}", i, node.types[i].ToString(),
                     inferred[i].ToString());
    }
  } catch (const GraphError& error) {
    return Wrong(node, "{}", error.message());
  }
  return Ok();
}

Status CheckNode(const Graph& graph, size_t position) {
  const Node& node = graph.nodes()[position];
  if (node.id != static_cast<int>(position)) return Wrong(node, "stands at position {}", position);
  if (node.graph != &graph) return Wrong(node, "belongs to another graph");
  if (!node.op) {
    const bool listed = std::ranges::find(graph.parameters(), node.result()) != graph.parameters().end();
    return listed ? Ok() : Wrong(node, "is not among the parameters");
  }
  for (size_t i = 0; i < node.operands.size(); ++i) {
    const Status status = CheckValue(graph, node.operands[i], position);
    if (!status.ok()) return Wrong(node, "operand {} {}", i, status.message());
  }
  HR_TRY(CheckTypes(node));
  for (const auto& function : HeldFunctions(*node.op)) {
    HR_TRY(Verify(*function).Context("node {} ({})", node.id, node.op->name()));
  }
  return Ok();
}

}  // namespace

Status Verify(const Function& function) {
  if (!function.graph) return Error(Code::kInternal, "function {} has no graph", function.name);
  const Graph& graph = *function.graph;
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    HR_TRY(CheckNode(graph, i).Context("function {}", function.name));
  }
  for (size_t i = 0; i < function.results.size(); ++i) {
    HR_TRY(CheckValue(graph, function.results[i], graph.nodes().size())
               .Context("function {}: result {}", function.name, i));
  }
  return Ok();
}

}  // namespace headrace
