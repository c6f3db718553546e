// Lion: the sign of an interpolated momentum (Chen et al., 2023): optax.lion.
#pragma once

#include "headrace/optim/optimizer.h"
#include "headrace/optim/optimizer_options.h"

namespace headrace::optim {

struct LionConfig : OptimizerOptions {
  static constexpr std::string_view kKind = "lion";
  double b1 = 0.9;
  double b2 = 0.99;
  double weight_decay = 1e-3;

  void Fields(config::Visitor& v);
  std::unique_ptr<Optimizer> Make() const;
};

}  // namespace headrace::optim
