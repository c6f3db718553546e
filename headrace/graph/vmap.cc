#include "headrace/graph/vmap.h"

#include "headrace/graph/batch_function.h"
#include "headrace/graph/ops.h"

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

}  // namespace

Values Vmap(const ValueFn& body, std::span<const Value> arguments,
            const std::vector<std::optional<int>>& in_axes, int out_axis) {
  const int64_t size = BatchSize(arguments, in_axes);
  Graph& graph = InnermostGraph(arguments);

  // Trace on one example, then repeat each node here, batched where an operand is.
  Types example_types;
  std::vector<BatchOperand> operands;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Value argument = in_axes[i] ? MoveAxis(arguments[i], *in_axes[i], 0) : arguments[i];
    operands.push_back({argument, in_axes[i].has_value()});
    example_types.push_back(in_axes[i] ? WithoutBatch(argument.type()) : argument.type());
  }
  const Closure closure = TraceClosure("vmap", graph, example_types, body);
  for (Value captured : closure.captured) operands.push_back({captured, false});

  Values results;
  for (const BatchOperand& result : BatchInline(*closure.function, operands, size, graph)) {
    results.push_back(MoveAxis(BroadcastBatch(result, size), 0, out_axis));
  }
  return results;
}

}  // namespace headrace
