// Adam (Kingma and Ba, 2015) and AdamW, with decoupled weight decay (Loshchilov and Hutter, 2019):
// optax.adam, adamw.
#pragma once

#include "headrace/optim/optimizer.h"

namespace headrace::optim {

struct AdamConfig : OptimizerOptions {
  static constexpr std::string_view kKind = "adam";
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;

  void Fields(config::Visitor& v);
  std::unique_ptr<Optimizer> Make() const;
};

struct AdamwConfig : AdamConfig {
  static constexpr std::string_view kKind = "adamw";
  double weight_decay = 1e-4;

  void Fields(config::Visitor& v);
  std::unique_ptr<Optimizer> Make() const;
};

}  // namespace headrace::optim
