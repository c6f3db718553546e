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

Value Graph::Local(Value value) {
  if (&value.graph() == this) return value;
  if (value.graph().depth_ >= depth_) Fail("a value belongs to another graph; pass it in as an argument");
  const Value outer = parent_->Local(value);
  // What has no operands is made here again, except what is large.
  const Node& node = outer.node();
  if (node.op && node.operands.empty() && (node.op->name() != "constant" || outer.rank() == 0)) {
    return Apply(node.op, {}).at(static_cast<size_t>(outer.result()));
  }
  Value& capture = captures_[{&node, outer.result()}];
  if (!capture) {
    capture = Parameter(outer.type(), node.scope);
    captured_.push_back(outer);
  }
  return capture;
}

Values Graph::Apply(std::shared_ptr<const Op> op, Values operands) {
  Types operand_types;
  for (Value& operand : operands) {
    if (!operand) throw GraphError(scope(), fmt::format("{}: an operand is empty", op->name()));
    try {
      operand = Local(operand);
    } catch (const GraphError&) {
      throw GraphError(
          scope(),
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
    throw GraphError(scope(),
                     fmt::format("{}({}): {}", op->name(), DescribeOperands(operand_types), error.message()));
  }
  Node& node = nodes_.emplace_back();
  node.id = static_cast<int>(nodes_.size()) - 1;
  node.graph = this;
  node.op = std::move(op);
  node.operands = std::move(operands);
  node.types = std::move(types);
  node.scope = scope();
  Values results;
  for (size_t i = 0; i < node.types.size(); ++i) results.push_back(node.result(static_cast<int>(i)));
  return results;
}

Values Graph::Extend(const Node& node, std::shared_ptr<const Op> op, const Types& more) {
  Node& mine = nodes_.at(static_cast<size_t>(node.id));
  HR_CHECK(&mine == &node);
  mine.op = std::move(op);
  Values added;
  for (const TensorType& type : more) {
    added.push_back(mine.result(static_cast<int>(mine.types.size())));
    mine.types.push_back(type);
  }
  return added;
}

Graph& InnermostGraph(std::span<const Value> values) {
  Graph* innermost = nullptr;
  for (Value value : values) {
    if (value && (!innermost || value.graph().depth() > innermost->depth())) innermost = &value.graph();
  }
  HR_CHECK(innermost != nullptr);
  return *innermost;
}

}  // namespace headrace
