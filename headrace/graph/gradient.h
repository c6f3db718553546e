// Reverse-mode differentiation: adds to a graph the nodes that compute gradients.
//
// Works on values at any point of a trace, so it composes: a gradient is made of ordinary nodes and can be
// differentiated, batched and scanned again.
//
//   Values grads = Gradient(loss, {weight, bias});           // of a scalar
#pragma once

#include <span>

#include "headrace/graph/value.h"

namespace headrace {

// The gradients of `output` with respect to each of `inputs`, each of the input's type. An input that
// `output` does not depend on gets zeros. `output` is a floating-point scalar, or `seed` is its cotangent, of
// its type (vector-Jacobian product). Throws GraphError otherwise, and for inputs that are not
// floating-point.
Values Gradient(Value output, std::span<const Value> inputs, Value seed = {});

// The same for several outputs at once, each with its cotangent (an empty one is zero).
Values Gradient(std::span<const Value> outputs, std::span<const Value> inputs, std::span<const Value> seeds);

// How much the outputs change when the inputs change by `tangents` (Jacobian-vector product), each of its
// output's type: two gradients, of which the first is only a form to differentiate.
Values Jvp(std::span<const Value> outputs, std::span<const Value> inputs, std::span<const Value> tangents);

}  // namespace headrace
