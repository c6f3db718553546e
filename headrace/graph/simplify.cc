#include "headrace/graph/simplify.h"

#include <fmt/format.h>

#include <unordered_map>

#include "headrace/graph/held_functions.h"
#include "headrace/graph/op.h"
#include "headrace/graph/ops/shape_ops.h"
#include "headrace/graph/substitution.h"

namespace headrace {
namespace {

constexpr int64_t kLargestConstant = 64;  // bytes; larger ones are not compared

// Whether two of these with equal operands are one.
bool MayMerge(const Node& node) {
  const std::string_view name = node.op->name();
  if (name == "optimization_barrier" || name == "custom_call") return false;
  if (name == "constant" && node.types[0].ByteCount() > kLargestConstant) return false;
  return HeldFunctions(*node.op).empty();
}

// What tells a node from others: the op with its attributes, and the operands.
std::string KeyOf(const Op& op, std::span<const Value> operands) {
  std::string key = op.ToString();
  for (Value operand : operands) key += fmt::format(" {}:{}", operand.node().id, operand.result());
  return key;
}

}  // namespace

Function Simplify(const Function& function) {
  Function simple{.name = function.name, .graph = std::make_unique<Graph>(), .results = {}};
  Graph& graph = *simple.graph;
  Substitution<Value> made;
  for (Value parameter : function.parameters())
    made.Set(parameter, graph.Parameter(parameter.type(), parameter.node().scope));

  std::unordered_map<std::string, Values> known;
  for (const Node* node : LiveNodes(function.results)) {
    Values operands;
    for (Value operand : node->operands) operands.push_back(made.Get(operand));
    auto entered = graph.Enter(node->scope);
    Values results;
    if (MayMerge(*node)) {
      Values& same = known[KeyOf(*node->op, operands)];
      if (same.empty() && operands.size() == 1) {
        if (const auto folded = FoldedIntoOperand(*node->op, operands[0])) same = {*folded};
      }
      if (same.empty()) same = graph.Apply(node->op, std::move(operands));
      results = same;
    } else {
      results = graph.Apply(node->op, std::move(operands));
    }
    for (size_t i = 0; i < results.size(); ++i) made.Set(node->result(static_cast<int>(i)), results[i]);
  }
  for (Value result : function.results) simple.results.push_back(made.Get(result));
  return simple;
}

}  // namespace headrace
