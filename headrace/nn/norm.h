// Normalization layers: statistics in f32 whatever the compute type.
#pragma once

#include "headrace/nn/initializers.h"

namespace headrace::nn {

// Over the batch and all spatial dimensions, a mean and a variance a feature (Ioffe and Szegedy, 2015).
// [..., features] -> the same. Parameters `weight` and `bias`, state `running_mean` and `running_var`, all
// [features]. In training it uses the batch's (biased) statistics and moves the running ones: r = momentum ·
// r + (1 - momentum) · s; otherwise, and where its weight is frozen, it uses the running ones. As
// flax.linen.BatchNorm.
class BatchNorm {
 public:
  BatchNorm(Scope scope, Dim features, double momentum = 0.99, double epsilon = 1e-5);
  Value operator()(Value x) const;

 private:
  Scope scope_;
  double momentum_, epsilon_;
  Value weight_, bias_, running_mean_, running_var_;
};

// Over the last dimension of each element (Ba et al., 2016). [..., features] -> the same. Parameters `weight`
// and `bias`.
class LayerNorm {
 public:
  LayerNorm(Scope scope, Dim features, double epsilon = 1e-6);
  Value operator()(Value x) const;

 private:
  Scope scope_;
  double epsilon_;
  Value weight_, bias_;
};

}  // namespace headrace::nn
