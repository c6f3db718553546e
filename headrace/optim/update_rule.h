// UpdateRule: one update of all parameters together. Regularization, clipping, schedule and optimizer, in
// this order.
//
//   UpdateRule rule(config.optimizer, config.schedule, total_steps);
//   UpdateRule::Result result = rule.Apply(parameters, count, step);
//   result.updates[0].parameter; result.learning_rate;
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "headrace/optim/optimizers.h"
#include "headrace/optim/schedule.h"

namespace headrace::optim {

class UpdateRule {
 public:
  UpdateRule(OptimizerConfig optimizer, ScheduleConfig schedule, int64_t total_steps);

  std::vector<SlotSpec> Slots(const ParameterInfo& parameter) const { return optimizer_->Slots(parameter); }

  struct Parameter {
    ParameterInfo info;
    Value value;
    Value gradient;  // of the loss without l1 and l2
    Values slots;
  };
  // An update is withheld, parameters and slots staying as they were, where the norm of any gradient is not
  // finite.
  struct Result {
    std::vector<Update> updates;  // in the order of the parameters
    Value learning_rate;          // f32 scalar, before multipliers
    Value grad_norm;              // f32 scalar: the global norm, with l1 and l2, before clipping
    Value finite;                 // pred [parameters]: whether the norm of each gradient is
    Value applied;                // pred scalar: whether all are
  };
  // `count` is how many updates were done before this one, `step` how many steps (some may have been
  // withheld); i32 scalars.
  Result Apply(std::span<const Parameter> parameters, Value count, Value step) const;

 private:
  Values Regularized(std::span<const Parameter> parameters) const;
  Values Clipped(Values gradients, Value norm) const;

  OptimizerConfig config_;
  ScheduleConfig schedule_;
  int64_t total_steps_;
  std::unique_ptr<Optimizer> optimizer_;
};

}  // namespace headrace::optim
