#include "headrace/optim/update_rule.h"

#include "headrace/graph/ops.h"
#include "headrace/optim/clip.h"

namespace headrace::optim {

UpdateRule::UpdateRule(OptimizerConfig optimizer, ScheduleConfig schedule, int64_t total_steps)
    : config_(std::move(optimizer)),
      schedule_(std::move(schedule)),
      total_steps_(total_steps),
      optimizer_(MakeOptimizer(config_)) {}

Values UpdateRule::Regularized(std::span<const Parameter> parameters) const {
  const OptimizerOptions& options = OptionsOf(config_);
  Values gradients;
  for (const Parameter& parameter : parameters) {
    Value gradient = parameter.gradient;
    if (options.Decays(parameter.info.name)) {
      if (options.l2 != 0) gradient = gradient + options.l2 * parameter.value;
      if (options.l1 != 0) gradient = gradient + options.l1 * Sign(parameter.value);
    }
    gradients.push_back(gradient);
  }
  return gradients;
}

Values UpdateRule::Clipped(Values gradients, Value norm) const {
  const OptimizerOptions& options = OptionsOf(config_);
  if (options.clip_value) gradients = ClipByValue(gradients, *options.clip_value);
  if (options.clip_leaf_norm) gradients = ClipByLeafNorm(gradients, *options.clip_leaf_norm);
  if (options.clip_norm) {
    if (options.clip_value || options.clip_leaf_norm) norm = GlobalNorm(gradients);
    gradients = ClipByGlobalNorm(gradients, norm, *options.clip_norm);
  }
  return gradients;
}

UpdateRule::Result UpdateRule::Apply(std::span<const Parameter> parameters, Value count, Value step) const {
  const OptimizerOptions& options = OptionsOf(config_);
  const Values regularized = Regularized(parameters);
  Result result;
  Values squared_norms;
  for (Value gradient : regularized) squared_norms.push_back(SquaredNorm(gradient));
  result.grad_norm = NormOf(squared_norms);
  result.finite = IsFinite(Stack(squared_norms));
  result.applied = All(result.finite, {0});
  const Values gradients = Clipped(regularized, result.grad_norm);
  result.learning_rate = options.learning_rate * ScheduleFactor(schedule_, step, total_steps_);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    Value rate = Convert(result.learning_rate, parameter.value.dtype());
    const double multiplier = options.RateMultiplier(parameter.info.name);
    if (multiplier != 1) rate = multiplier * rate;
    Update update = optimizer_->Step({.parameter = parameter.value,
                                      .gradient = gradients[i],
                                      .slots = parameter.slots,
                                      .count = count,
                                      .learning_rate = rate,
                                      .decays = options.Decays(parameter.info.name),
                                      .applies = result.applied});
    update.parameter = Select(result.applied, update.parameter, parameter.value);
    result.updates.push_back(std::move(update));
  }
  return result;
}

}  // namespace headrace::optim
