#include "headrace/nn/rms_norm.h"

#include "headrace/graph/ops.h"

namespace headrace::nn {

RmsNorm::RmsNorm(Scope scope, Dim features, double epsilon)
    : scope_(scope), epsilon_(epsilon), weight_(scope.Param("weight", {std::move(features)}, Ones())) {}

Value RmsNorm::operator()(Value input) const {
  auto entered = scope_.Enter();
  const Value x = Convert(input, DType::kF32);
  const Ints last = {x.rank() - 1};
  const Value scale = KeepDims(Rsqrt(Mean(x * x, last) + epsilon_), x.shape(), last);
  return Convert(x * (scale * Convert(weight_, DType::kF32)), input.dtype());
}

}  // namespace headrace::nn
