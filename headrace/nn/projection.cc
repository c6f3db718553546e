#include "headrace/nn/projection.h"

#include "headrace/graph/ops.h"

namespace headrace::nn {

Projection::Projection(Scope scope, Dim in, Dim out, Initializer weight, bool bias)
    : scope_(scope), weight_(scope.Param("weight", {out, std::move(in)}, std::move(weight))) {
  if (bias) bias_ = scope.Param("bias", {std::move(out)}, Zeros());
}

Value Projection::operator()(Value x) const {
  auto entered = scope_.Enter();
  const Value y = DotGeneral(x, weight_, {{}, {}, {x.rank() - 1}, {1}});
  return bias_ ? y + *bias_ : y;
}

}  // namespace headrace::nn
