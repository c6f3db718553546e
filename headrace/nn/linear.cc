#include "headrace/nn/linear.h"

#include "headrace/graph/ops.h"

namespace headrace::nn {

Linear::Linear(Scope scope, Dim in, Dim out, Initializer weight)
    : scope_(scope),
      weight_(scope.Param("weight", {in, out}, std::move(weight))),
      bias_(scope.Param("bias", {out}, Zeros())) {}

Value Linear::operator()(Value x) const {
  auto entered = scope_.Enter();
  return Dot(x, weight_) + bias_;
}

}  // namespace headrace::nn
