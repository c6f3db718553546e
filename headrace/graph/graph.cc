#include "headrace/graph/graph.h"

#include <fmt/ranges.h>

namespace headrace {
namespace {

std::string DescribeOperands(TypeSpan types) {
  std::string text;
  for (const TensorType& type : types) text += fmt::format("{}{}", text.empty() ? "" : ", ", type.ToString());
  return text;
}

}  // namespace

Graph& Value::graph() const { return *node_->graph; }
const TensorType& Value::type() const { return node_->types[static_cast<size_t>(result_)]; }

Value Graph::Parameter(TensorType type, std::string name) {
  Node& node = nodes_.emplace_back();
  node.id = static_cast<int>(nodes_.size()) - 1;
  node.graph = this;
  node.types = {std::move(type)};
  node.scope = std::move(name);
  parameters_.push_back(node.result());
  return node.result();
}

Values Graph::Apply(std::shared_ptr<const Op> op, Values operands) {
  Types operand_types;
  for (Value operand : operands) {
    if (!operand) throw GraphError(scope_, fmt::format("{}: an operand is empty", op->name()));
    if (&operand.graph() != this) {
      throw GraphError(
          scope_,
          fmt::format("{}: an operand belongs to another graph; pass it in as an argument", op->name()));
    }
    operand_types.push_back(operand.type());
  }
  Types types;
  try {
    const int arity = op->Arity();
    Require(arity < 0 || arity == static_cast<int>(operands.size()), "takes {} operands", arity);
    types = op->Infer(operand_types);
  } catch (const GraphError& error) {
    throw GraphError(scope_,
                     fmt::format("{}({}): {}", op->name(), DescribeOperands(operand_types), error.message()));
  }
  Node& node = nodes_.emplace_back();
  node.id = static_cast<int>(nodes_.size()) - 1;
  node.graph = this;
  node.op = std::move(op);
  node.operands = std::move(operands);
  node.types = std::move(types);
  node.scope = scope_;
  Values results;
  for (size_t i = 0; i < node.types.size(); ++i) results.push_back(node.result(static_cast<int>(i)));
  return results;
}

}  // namespace headrace
