// RMSProp: gradients over the root of the mean of their squares (Hinton, 2012; centered: Graves, 2013):
// optax.rmsprop.
#pragma once

#include "headrace/optim/optimizer.h"
#include "headrace/optim/optimizer_options.h"

namespace headrace::optim {

struct RmspropConfig : OptimizerOptions {
  static constexpr std::string_view kKind = "rmsprop";
  double decay = 0.9;
  double eps = 1e-8;
  double initial_scale = 0;
  bool eps_in_sqrt = true;
  bool centered = false;
  double momentum = 0;  // of what the learning rate has scaled already
  bool nesterov = false;
  bool bias_correction = false;

  void Fields(config::Visitor& v);
  std::unique_ptr<Optimizer> Make() const;
};

}  // namespace headrace::optim
