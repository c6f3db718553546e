// Conv: a convolution over the spatial dimensions of channels-last input.
#pragma once

#include "headrace/graph/ops/convolution.h"
#include "headrace/nn/initializers.h"

namespace headrace::nn {

struct ConvShape {
  Ints kernel;  // one entry a spatial dimension
  Ints strides = {};
  WindowPadding padding = PaddingMode::kSame;
  int64_t groups = 1;
  bool bias = true;
};

// [N, spatial…, in] -> [N, spatial…, out]. Parameters `weight` [kernel…, in / groups, out] and `bias` [out].
class Conv {
 public:
  Conv(Scope scope, Dim in, Dim out, ConvShape shape, Initializer weight = LecunNormal());
  Value operator()(Value x) const;

 private:
  Scope scope_;
  ConvShape shape_;
  Value weight_, bias_;  // bias_ is empty without one
};

}  // namespace headrace::nn
