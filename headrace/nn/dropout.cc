#include "headrace/nn/dropout.h"

#include "headrace/graph/ops.h"

namespace headrace::nn {

Value Dropout::operator()(Value x) const {
  if (!scope_.train() || rate_ == 0) return x;
  auto entered = scope_.Enter();
  const Value keep = Bernoulli(scope_.Key(), 1 - rate_, x.shape());
  return Select(keep, x / (1 - rate_), ZerosLike(x));
}

}  // namespace headrace::nn
