// Adafactor: the second moment of a matrix as a row and a column, so that it costs next to no memory (Shazeer
// and Stern, 2018): optax.adafactor.
#pragma once

#include "headrace/optim/optimizer.h"
#include "headrace/optim/optimizer_options.h"

namespace headrace::optim {

struct AdafactorConfig : OptimizerOptions {
  static constexpr std::string_view kKind = "adafactor";
  int64_t min_dim_size_to_factor = 128;
  double decay_rate = 0.8;  // the mean of squares decays by 1 - (updates)^-decay_rate
  bool multiply_by_parameter_scale = true;
  std::optional<double> clipping_threshold = 1.0;
  double momentum = 0;
  double weight_decay_rate = 0;  // not scaled by the learning rate
  double eps = 1e-30;
  bool factored = true;

  void Fields(config::Visitor& v);
  std::unique_ptr<Optimizer> Make() const;
};

}  // namespace headrace::optim
