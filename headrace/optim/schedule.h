// Learning-rate schedules: the factor on the peak learning rate, from the number of updates done. As optax's.
//
//   Value rate = peak * ScheduleFactor(CosineConfig{.warmup_steps = 20}, count, total_steps);
#pragma once

#include <variant>

#include "headrace/core/config.h"
#include "headrace/graph/value.h"

namespace headrace::optim {

struct ScheduleOptions {
  int64_t warmup_steps = 0;  // from 0 to the peak, linearly

  void Fields(config::Visitor& v);
};

struct ConstantConfig : ScheduleOptions {
  static constexpr std::string_view kKind = "constant";
  // The factor after the warm-up; `step` is an f32 scalar counted from its end, `steps` how many are left.
  Value Factor(Value step, int64_t steps) const;
};

// Half a cosine from the peak down to `end` times it.
struct CosineConfig : ScheduleOptions {
  static constexpr std::string_view kKind = "cosine";
  double end = 0;

  void Fields(config::Visitor& v);
  Value Factor(Value step, int64_t steps) const;
};

using ScheduleConfig = std::variant<ConstantConfig, CosineConfig>;

// The factor, an f32 scalar. `count` is an i32 scalar: updates done before this one, of `total_steps`.
Value ScheduleFactor(const ScheduleConfig& config, Value count, int64_t total_steps);

}  // namespace headrace::optim
