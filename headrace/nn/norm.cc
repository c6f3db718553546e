#include "headrace/nn/norm.h"

#include "headrace/graph/ops.h"

namespace headrace::nn {
namespace {

struct Moments {
  Value mean, variance;
};

// E[x] and E[x²] - E[x]², kept at 0 or above where rounding takes it below.
Moments MomentsOf(Value x, const Ints& axes) {
  const Value mean = Mean(x, axes);
  return {mean, Maximum(Mean(x * x, axes) - mean * mean, 0.0)};
}

}  // namespace

BatchNorm::BatchNorm(Scope scope, Dim features, double momentum, double epsilon)
    : scope_(scope),
      momentum_(momentum),
      epsilon_(epsilon),
      weight_(scope.Param("weight", {features}, Ones())),
      bias_(scope.Param("bias", {features}, Zeros())),
      running_mean_(scope.State("running_mean", {features}, Zeros())),
      running_var_(scope.State("running_var", {features}, Ones())) {}

Value BatchNorm::operator()(Value input) const {
  auto entered = scope_.Enter();
  const Value x = Convert(input, DType::kF32);
  Moments moments = {running_mean_, running_var_};
  if (scope_.train() && !scope_.IsFrozen("weight")) {
    Ints axes;
    for (int axis = 0; axis + 1 < x.rank(); ++axis) axes.push_back(axis);
    moments = MomentsOf(x, axes);
    auto moved = [&](Value running, Value batch) {
      return momentum_ * running + (1 - momentum_) * StopGradient(batch);
    };
    scope_.SetState("running_mean", moved(running_mean_, moments.mean));
    scope_.SetState("running_var", moved(running_var_, moments.variance));
  }
  const Value scale = Rsqrt(moments.variance + epsilon_) * Convert(weight_, DType::kF32);
  const Value y = (x - moments.mean) * scale + Convert(bias_, DType::kF32);
  return Convert(y, input.dtype());
}

LayerNorm::LayerNorm(Scope scope, Dim features, double epsilon)
    : scope_(scope),
      epsilon_(epsilon),
      weight_(scope.Param("weight", {features}, Ones())),
      bias_(scope.Param("bias", {features}, Zeros())) {}

Value LayerNorm::operator()(Value input) const {
  auto entered = scope_.Enter();
  const Value x = Convert(input, DType::kF32);
  const Ints last = {x.rank() - 1};
  const Moments moments = MomentsOf(x, last);
  const Value centered = x - KeepDims(moments.mean, x.shape(), last);
  const Value normal = centered * KeepDims(Rsqrt(moments.variance + epsilon_), x.shape(), last);
  const Value y = normal * Convert(weight_, DType::kF32) + Convert(bias_, DType::kF32);
  return Convert(y, input.dtype());
}

}  // namespace headrace::nn
