// Composites: layers with a name, which a device may replace by a form of its own.
#pragma once

#include "headrace/graph/function.h"

namespace headrace {

// The results of `body` on the operands, as one operation "headrace.<name>". It runs as `body` says unless
// `kernels` has a faster form of that name. `attributes` is what that form needs to know, as an MLIR
// dictionary without its braces: "causal = true". Gradients and batches are those of the body.
//
//   Value y = Composite("gelu", {x}, [](std::span<const Value> v) { return Values{Gelu(v[0])}; }).at(0);
Values Composite(std::string name, Values operands, const ValueFn& body, std::string attributes = {});

}  // namespace headrace
