// Adam (Kingma and Ba, 2015), with Nesterov momentum (Dozat, 2016) if asked, and AdamW, with decoupled weight
// decay (Loshchilov and Hutter, 2019): optax.adam, adamw; with `nesterov`, optax.nadam, nadamw.
#pragma once

#include "headrace/optim/optimizer.h"
#include "headrace/optim/optimizer_options.h"

namespace headrace::optim {

// The numbers of Adam's two moving averages.
struct AdamMoments {
  double b1 = 0.9;
  double b2 = 0.999;
  double eps = 1e-8;
  double eps_root = 0;
  bool nesterov = false;

  static std::vector<SlotSpec> Slots(const TensorType& parameter) {
    return {{"mu", parameter}, {"nu", parameter}};
  }
  // The direction against which Adam moves, and the slots after it (optax.scale_by_adam).
  struct Result {
    Value direction;
    Values slots;
  };
  Result Step(const StepInput& input) const;
};

struct AdamConfig : OptimizerOptions {
  static constexpr std::string_view kKind = "adam";
  AdamMoments moments = {};

  void Fields(config::Visitor& v);
  std::unique_ptr<Optimizer> Make() const;
};

struct AdamwConfig : AdamConfig {
  static constexpr std::string_view kKind = "adamw";
  double weight_decay = 1e-4;

  void Fields(config::Visitor& v);
  std::unique_ptr<Optimizer> Make() const;
};

// 1 - decay^(count + ahead): what a moving average from zero of `count` + `ahead` terms falls short by.
Value BiasCorrection(double decay, Value count, int ahead, DType dtype);

}  // namespace headrace::optim
