// OptimizerOptions: what the config of every optimizer has: learning rate, clipping, and which parameters are
// treated otherwise, by patterns of their names (core/glob.h).
//
//   optimizer: {kind: adamw, learning_rate: 1e-3, weight_decay: 0.1, no_decay: ["*.bias", "*norm*"]}
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/core/config.h"

namespace headrace::optim {

// Patterns that a config gives under a key.
struct PatternList {
  std::string key;  // "no_decay"
  std::vector<std::string> patterns;
};

struct OptimizerOptions {
  double learning_rate = 1e-3;                                   // the peak of the schedule
  std::map<std::string, double> learning_rate_multipliers = {};  // by pattern; a name that several match
                                                                 // gets their product
  std::vector<std::string> no_decay = {};                        // exempt from weight decay, l1 and l2
  double l1 = 0;                                                 // adds l1 · sum |w| to the loss
  double l2 = 0;                                                 // adds l2 / 2 · sum w² to the loss
  std::optional<double> clip_value = {};                         // of each element of the gradients
  std::optional<double> clip_leaf_norm = {};                     // of each gradient alone, after clip_value
  std::optional<double> clip_norm = {};  // of all gradients together, after the others

  void Fields(config::Visitor& v);

  bool Decays(std::string_view parameter) const;
  double RateMultiplier(std::string_view parameter) const;
  // Every pattern in the config; each must match something.
  std::vector<PatternList> Patterns() const;
};

}  // namespace headrace::optim
