// Remat: memory for time. Gradients that compute again what they would otherwise keep.
#pragma once

#include "headrace/graph/function.h"

namespace headrace {

// What of the body the way back finds kept.
enum class RematPolicy {
  kNone,  // everything: no remat
  kDots,  // the results of matrix products and convolutions
  kFull,  // nothing: the body runs again
};

// What `body` makes of the operands; its gradient first computes again what the policy does not keep, from
// the operands. The body may use values of the graph around it.
//
//   Value y = Remat([&](auto v) { return Values{Block(v[0])}; }, {x}, RematPolicy::kDots)[0];
Values Remat(const ValueFn& body, Values operands, RematPolicy policy = RematPolicy::kFull);

}  // namespace headrace
