// RmsNorm: normalization by the root mean square alone, in f32 whatever the compute type.
#pragma once

#include "headrace/nn/initializers.h"

namespace headrace::nn {

// x / sqrt(mean(x²) + epsilon) · weight over the last dimension (Zhang and Sennrich, 2019).
// [..., features] -> the same. Parameter `weight`. As flax.linen.RMSNorm.
class RmsNorm {
 public:
  RmsNorm(Scope scope, Dim features, double epsilon = 1e-6);
  Value operator()(Value x) const;

 private:
  Scope scope_;
  double epsilon_;
  Value weight_;
};

}  // namespace headrace::nn
