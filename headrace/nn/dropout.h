// Dropout: in training, elements become 0 with probability `rate` and the others grow by 1 / (1 - rate)
// (Srivastava et al., 2014); otherwise the identity. The mask is a pure function of the step's key and the
// layer's path.
#pragma once

#include "headrace/nn/scope.h"

namespace headrace::nn {

class Dropout {
 public:
  Dropout(Scope scope, double rate) : scope_(scope), rate_(rate) {}
  Value operator()(Value x) const;

 private:
  Scope scope_;
  double rate_;
};

}  // namespace headrace::nn
