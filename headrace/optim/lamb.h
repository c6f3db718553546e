// LAMB: Adam's direction, scaled for each parameter to its norm (You et al., 2020): optax.lamb.
#pragma once

#include "headrace/optim/adam.h"

namespace headrace::optim {

struct LambConfig : OptimizerOptions {
  static constexpr std::string_view kKind = "lamb";
  AdamMoments moments = {.eps = 1e-6};
  double weight_decay = 0;

  void Fields(config::Visitor& v);
  std::unique_ptr<Optimizer> Make() const;
};

}  // namespace headrace::optim
