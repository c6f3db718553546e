// Linear: y = x W + b.
#pragma once

#include "headrace/nn/initializers.h"

namespace headrace::nn {

// [..., in] -> [..., out]. Parameters `weight` [in, out] and `bias` [out].
class Linear {
 public:
  Linear(Scope scope, Dim in, Dim out, Initializer weight = LecunNormal());
  Value operator()(Value x) const;

 private:
  Scope scope_;
  Value weight_, bias_;
};

}  // namespace headrace::nn
