#include "headrace/optim/optimizer_options.h"

#include "headrace/core/glob.h"

namespace headrace::optim {

void OptimizerOptions::Fields(config::Visitor& v) {
  v.Field("learning_rate", learning_rate, "Learning rate; the peak of the schedule", config::AtLeast(0));
  v.Field("learning_rate_multipliers", learning_rate_multipliers,
          "Factors on the learning rate by pattern of the parameter's name: {\"backbone.*\": 0.1}; where "
          "several match, their product",
          config::AtLeast(0));
  v.Field("no_decay", no_decay,
          "Patterns of names of parameters without weight decay, l1 and l2: [\"*.bias\", \"*norm*\"]");
  v.Field("l1", l1, "Adds l1 times the sum of the absolute parameters to the loss", config::AtLeast(0));
  v.Field("l2", l2, "Adds l2 / 2 times the sum of the squared parameters to the loss", config::AtLeast(0));
  v.Field("clip_value", clip_value, "Clip each element of the gradients to [-clip_value, clip_value]",
          config::Positive());
  v.Field("clip_leaf_norm", clip_leaf_norm,
          "Scale each parameter's gradient down to this norm where it is larger", config::Positive());
  v.Field("clip_norm", clip_norm, "Scale all gradients down to this global norm where it is larger",
          config::Positive());
}

bool OptimizerOptions::Decays(std::string_view parameter) const {
  return !glob::MatchesAny(no_decay, parameter);
}

double OptimizerOptions::RateMultiplier(std::string_view parameter) const {
  double product = 1;
  for (const auto& [pattern, multiplier] : learning_rate_multipliers) {
    if (glob::Matches(pattern, parameter)) product *= multiplier;
  }
  return product;
}

std::vector<PatternList> OptimizerOptions::Patterns() const {
  PatternList rates{"learning_rate_multipliers", {}};
  for (const auto& [pattern, multiplier] : learning_rate_multipliers) rates.patterns.push_back(pattern);
  return {std::move(rates), {"no_decay", no_decay}};
}

}  // namespace headrace::optim
