// Averages of the weights over the steps, which often do better than the last ones: what is evaluated and
// served, while training goes on from the weights themselves.
//
// Pure functions of the average so far, the weights and the number of steps; the training state holds the
// average. It starts as the initial weights.
//
//   average: {kind: ema, decay: 0.999}
//   Value next = NextAverage(config, average, weights_after_the_step, step);
#pragma once

#include <variant>

#include "headrace/core/config.h"
#include "headrace/graph/value.h"

namespace headrace::optim {

struct NoAverageConfig {
  static constexpr std::string_view kKind = "none";
  void Fields(config::Visitor&) {}
};

// Exponential moving average: decay · average + (1 - decay) · weights after every step.
struct EmaConfig {
  static constexpr std::string_view kKind = "ema";
  double decay = 0.999;
  bool warmup = false;  // a smaller decay, (1 + n) / (10 + n), in the first steps n

  void Fields(config::Visitor& v);
};

// Stochastic weight averaging (Izmailov et al., 2018): the mean of the weights after step `start` and every
// `every` steps from there; until then the weights themselves.
struct SwaConfig {
  static constexpr std::string_view kKind = "swa";
  int64_t start = 0;
  int64_t every = 1;

  void Fields(config::Visitor& v);
};

using AverageConfig = std::variant<NoAverageConfig, EmaConfig, SwaConfig>;

inline bool Averages(const AverageConfig& config) { return !std::holds_alternative<NoAverageConfig>(config); }

// The average after a step. `step`: i32 scalar, the steps done before it; `weights`, those after it.
// Without averaging, the weights.
Value NextAverage(const AverageConfig& config, Value average, Value weights, Value step);

}  // namespace headrace::optim
