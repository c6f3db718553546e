// Stochastic gradient descent, with momentum and Nesterov's form of it (optax.sgd).
#pragma once

#include "headrace/optim/optimizer.h"
#include "headrace/optim/optimizer_options.h"

namespace headrace::optim {

struct SgdConfig : OptimizerOptions {
  static constexpr std::string_view kKind = "sgd";
  double momentum = 0;
  bool nesterov = false;

  void Fields(config::Visitor& v);
  std::unique_ptr<Optimizer> Make() const;
};

}  // namespace headrace::optim
