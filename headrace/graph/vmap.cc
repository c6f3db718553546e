#include "headrace/graph/vmap.h"

#include "headrace/graph/ops.h"
#include "headrace/graph/substitution.h"

namespace headrace {
namespace {

int64_t BatchSize(std::span<const Value> arguments, const std::vector<std::optional<int>>& in_axes) {
  Require(arguments.size() == in_axes.size(), "vmap: {} arguments but {} in_axes", arguments.size(),
          in_axes.size());
  std::optional<int64_t> size;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!in_axes[i]) continue;
    const int rank = arguments[i].rank();
    Require(*in_axes[i] >= -rank && *in_axes[i] < rank, "vmap: in_axes[{}] is {}, but the argument is {}", i,
            *in_axes[i], arguments[i].type().ToString());
    const int64_t here = arguments[i].dim(*in_axes[i]);
    Require(!size || *size == here, "vmap: argument {} has {} examples, those before it {}", i, here,
            size.value_or(0));
    size = here;
  }
  Require(size.has_value(), "vmap: no argument has a batch axis");
  return *size;
}

Value MoveAxis(Value x, int from, int to) {
  from = from < 0 ? from + x.rank() : from;
  to = to < 0 ? to + x.rank() : to;
  if (from == to) return x;
  Ints permutation;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (axis != from) permutation.push_back(axis);
  }
  permutation.insert(permutation.begin() + to, from);
  return Transpose(x, permutation);
}

TensorType WithoutLeading(const TensorType& type) {
  return {type.dtype, Shape(std::vector<int64_t>(type.shape.begin() + 1, type.shape.end()))};
}

}  // namespace

Values Vmap(const ValueFn& body, std::span<const Value> arguments,
            const std::vector<std::optional<int>>& in_axes, int out_axis) {
  const int64_t size = BatchSize(arguments, in_axes);
  Graph& graph = arguments[0].graph();

  // Trace on one example, then repeat each node here, batched where an operand is.
  Types example_types;
  std::vector<BatchOperand> batched_arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Value argument = in_axes[i] ? MoveAxis(arguments[i], *in_axes[i], 0) : arguments[i];
    batched_arguments.push_back({argument, in_axes[i].has_value()});
    example_types.push_back(in_axes[i] ? WithoutLeading(argument.type()) : argument.type());
  }
  const Function function = Trace("vmap", example_types, body);

  Substitution<BatchOperand> substitution;
  for (size_t i = 0; i < arguments.size(); ++i)
    substitution.Set(function.parameters()[i], batched_arguments[i]);
  for (const Node* node : LiveNodes(function.results)) {
    std::vector<BatchOperand> operands;
    bool batched = false;
    for (Value operand : node->operands) {
      operands.push_back(substitution.Get(operand));
      batched |= operands.back().batched;
    }
    auto entered = graph.Enter(JoinScope(graph.scope(), node->scope));
    Values results;
    if (batched) {
      results = node->op->Batch(operands, size);
    } else {
      Values plain;
      for (const BatchOperand& operand : operands) plain.push_back(operand.value);
      results = graph.Apply(node->op, std::move(plain));
    }
    HR_CHECK(results.size() == node->types.size());
    for (size_t i = 0; i < results.size(); ++i) {
      HR_CHECK(!batched || WithoutLeading(results[i].type()) == node->types[i]);
      substitution.Set(node->result(static_cast<int>(i)), {results[i], batched});
    }
  }

  Values results;
  for (Value result : function.results) {
    const BatchOperand& operand = substitution.Get(result);
    results.push_back(MoveAxis(BroadcastBatch(operand, size), 0, out_axis));
  }
  return results;
}

}  // namespace headrace
