// Adagrad: gradients over the root of the sum of all their squares (Duchi et al., 2011): optax.adagrad.
#pragma once

#include "headrace/optim/optimizer.h"
#include "headrace/optim/optimizer_options.h"

namespace headrace::optim {

struct AdagradConfig : OptimizerOptions {
  static constexpr std::string_view kKind = "adagrad";
  double initial_accumulator_value = 0.1;
  double eps = 1e-7;

  void Fields(config::Visitor& v);
  std::unique_ptr<Optimizer> Make() const;
};

}  // namespace headrace::optim
