// Functions that bring a gradient of their own.
#pragma once

#include <functional>

#include "headrace/graph/function.h"

namespace headrace {

// What the forward half gives, and what it leaves for the way back.
struct WithResiduals {
  Values results;
  Values residuals;
};

// From the residuals and the cotangents of the results (zeros where there are none) to the cotangents of the
// operands; an empty Value is zero, and right for operands that are not floating-point.
using BackwardFn = std::function<Values(std::span<const Value> residuals, std::span<const Value> cotangents)>;

// The results of `forward`, whose gradient is what `backward` says. Neither may use values of the graph
// around them: pass those as operands. As jax.custom_vjp.
//
//   Value y = CustomGradient({x}, [](auto v) { return WithResiduals{{Log1p(Exp(v[0]))}, {v[0]}}; },
//                            [](auto r, auto dy) { return Values{dy[0] * Logistic(r[0])}; })[0];
Values CustomGradient(Values operands, const std::function<WithResiduals(std::span<const Value>)>& forward,
                      const BackwardFn& backward);

}  // namespace headrace
