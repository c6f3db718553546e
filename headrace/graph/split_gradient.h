// SplitGradient: the gradient of a function in two halves — what goes forward and what comes back — with the
// values that the second needs of the first. What the gradients of loops and conditionals are made of.
// Internal to `graph`.
#pragma once

#include <vector>

#include "headrace/graph/function.h"
#include "headrace/graph/rewrite.h"

namespace headrace {

struct SplitGradient {
  // Parameters: those of the function, then a cotangent for each result that is seeded. Results: the
  // cotangents of the wanted parameters.
  Function joint;
  Values results;  // of the function, in joint
  // What the backward half reads and the forward half has: parameters of the function, and results of nodes.
  // What is cheaper to make again than to keep (broadcasts, reshapes, constants) is left out for what it is
  // made from.
  Values needed;

  // Which parameter of the function a value is; -1 for what a node makes.
  int ParameterOf(Value value) const;

  // The cotangents of the wanted parameters in `into`: `known` has what is needed, and the seeds.
  Values Back(Substitution<Value>& known, Graph& into) const { return Rewrite(joint.results, known, into); }

  // The function with more results: `more` values of joint.
  std::shared_ptr<const Function> Forward(const Function& function, std::span<const Value> more) const;

  Value seed(size_t i) const { return joint.parameters()[parameter_count + i]; }
  size_t parameter_count = 0;  // of the function
};

// REQUIRES: wanted parameters and seeded results are floating-point
SplitGradient Split(const Function& function, const std::vector<bool>& wanted,
                    const std::vector<bool>& seeded);

// By node id: whether it depends on one of the values.
std::vector<bool> DependentNodes(const Graph& graph, std::span<const Value> values);

// By result: whether it depends on one of the parameters that are `active`.
std::vector<bool> DependentResults(const Function& function, const std::vector<bool>& active);

}  // namespace headrace
