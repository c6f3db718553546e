#include "headrace/graph/gradient.h"

#include "headrace/graph/ops.h"
#include "headrace/graph/substitution.h"

namespace headrace {
namespace {

// Which nodes lie on a path from the inputs: only those need cotangents.
std::vector<bool> DependOn(std::span<const Value> inputs, size_t node_count) {
  std::vector<bool> active(node_count, false);
  const Graph& graph = inputs[0].graph();
  for (Value input : inputs) active[static_cast<size_t>(input.node().id)] = true;
  for (size_t i = 0; i < node_count; ++i) {
    for (Value operand : graph.nodes()[i].operands) {
      if (active[static_cast<size_t>(operand.node().id)]) active[i] = true;
    }
  }
  return active;
}

void Accumulate(Substitution<Value>& cotangents, Value of, Value cotangent) {
  if (!cotangent) return;
  HR_CHECK(cotangent.type() == of.type());
  Value& sum = cotangents.Get(of);
  sum = sum ? Add(sum, cotangent) : cotangent;
}

}  // namespace

Values Gradient(Value output, std::span<const Value> inputs, Value seed) {
  Require(IsFloat(output.dtype()), "gradient: the output is {}, which is not floating-point",
          output.type().ToString());
  if (!seed) {
    Require(output.rank() == 0, "gradient: the output is {}; it must be a scalar, or come with a seed",
            output.type().ToString());
    seed = OnesLike(output);
  }
  return Gradient({&output, 1}, inputs, {&seed, 1});
}

Values Gradient(std::span<const Value> outputs, std::span<const Value> inputs, std::span<const Value> seeds) {
  HR_CHECK(outputs.size() == seeds.size());
  if (inputs.empty()) return {};
  Graph& graph = inputs[0].graph();
  const size_t node_count = graph.nodes().size();  // nodes made from here on are the gradient's own
  for (Value input : inputs) {
    Require(IsFloat(input.dtype()), "gradient: with respect to {}, which is not floating-point",
            input.type().ToString());
  }
  const std::vector<bool> active = DependOn(inputs, node_count);

  Substitution<Value> cotangents;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (seeds[i]) {
      Require(IsFloat(outputs[i].dtype()), "gradient: output {} is {}, which is not floating-point", i,
              outputs[i].type().ToString());
      Require(seeds[i].type() == outputs[i].type(), "gradient: the seed is {}, the output {}",
              seeds[i].type().ToString(), outputs[i].type().ToString());
    }
    Accumulate(cotangents, outputs[i], seeds[i]);
  }

  for (size_t i = node_count; i-- > 0;) {
    const Node& node = graph.nodes()[i];
    if (!node.op || !active[i]) continue;
    Values of_results;
    bool any = false;
    for (size_t r = 0; r < node.types.size(); ++r) {
      of_results.push_back(cotangents.Get(node.result(static_cast<int>(r))));
      any |= static_cast<bool>(of_results.back());
    }
    if (!any) continue;
    auto entered = graph.Enter(JoinScope("gradient", node.scope));
    const Values of_operands = node.op->Gradient(node, of_results);
    HR_CHECK(of_operands.size() == node.operands.size());
    for (size_t k = 0; k < node.operands.size(); ++k) {
      const Value operand = node.operands[k];
      if (active[static_cast<size_t>(operand.node().id)] && IsFloat(operand.dtype())) {
        Accumulate(cotangents, operand, of_operands[k]);
      }
    }
  }

  Values gradients;
  for (Value input : inputs) {
    const Value cotangent = cotangents.Get(input);
    gradients.push_back(cotangent ? cotangent : ZerosLike(input));
  }
  return gradients;
}

}  // namespace headrace
