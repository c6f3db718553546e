// Projection: y = x Wᵀ + b, with the weight as torch.nn.Linear stores it.
#pragma once

#include <optional>

#include "headrace/nn/initializers.h"

namespace headrace::nn {

// [..., in] -> [..., out]. Parameters `weight` [out, in] and, if asked for, `bias` [out]. For families whose
// weights come from PyTorch; Linear keeps its weight the other way round.
class Projection {
 public:
  Projection(Scope scope, Dim in, Dim out, Initializer weight, bool bias = false);
  Value operator()(Value x) const;

 private:
  Scope scope_;
  Value weight_;
  std::optional<Value> bias_;
};

}  // namespace headrace::nn
