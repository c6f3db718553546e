#include "headrace/graph/print.h"

#include <fmt/ranges.h>

#include "headrace/graph/held_functions.h"
#include "headrace/graph/op.h"

namespace headrace {
namespace {

// Parameters by position, nodes by their place in the graph: "%4", or "%4#1" of several results.
std::string NameOf(Value value) {
  const bool several = value.node().types.size() > 1;
  return fmt::format("%{}{}", value.node().id, several ? fmt::format("#{}", value.result()) : "");
}

std::string Names(std::span<const Value> values) {
  std::vector<std::string> names;
  for (Value value : values) names.push_back(NameOf(value));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string TypesText(const Types& types) {
  std::vector<std::string> texts;
  for (const TensorType& type : types) texts.push_back(type.ToString());
  return fmt::format("{}", fmt::join(texts, ", "));
}

void Print(const Function& function, const std::string& indent, std::string& out) {
  std::vector<std::string> parameters;
  for (Value parameter : function.parameters())
    parameters.push_back(
        fmt::format("{} {}: {}", NameOf(parameter), parameter.node().scope, parameter.type().ToString()));
  out += fmt::format("{}{}({}) {{\n", indent, function.name, fmt::join(parameters, ", "));
  for (const Node* node : LiveNodes(function.results)) {
    out += fmt::format("{}  %{} = {}({}) : {}{}\n", indent, node->id, node->op->ToString(),
                       Names(node->operands), TypesText(node->types),
                       node->scope.empty() ? "" : "  # " + node->scope);
    for (const auto& held : HeldFunctions(*node->op)) Print(*held, indent + "    ", out);
  }
  out += fmt::format("{}  return {}\n{}}}\n", indent, Names(function.results), indent);
}

}  // namespace

std::string ToText(const Function& function) {
  std::string text;
  Print(function, "", text);
  return text;
}

}  // namespace headrace
