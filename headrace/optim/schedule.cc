#include "headrace/optim/schedule.h"

#include <algorithm>
#include <numbers>

#include "headrace/graph/ops.h"

namespace headrace::optim {

void ScheduleOptions::Fields(config::Visitor& v) {
  v.Field("warmup_steps", warmup_steps, "Steps of linear warm-up from 0 to the peak", config::AtLeast(0));
}

Value ConstantConfig::Factor(Value step, int64_t) const { return OnesLike(step); }

void CosineConfig::Fields(config::Visitor& v) {
  ScheduleOptions::Fields(v);
  v.Field("end", end, "Learning rate at the last step, as a part of the peak", config::Between(0, 1));
}

Value CosineConfig::Factor(Value step, int64_t steps) const {
  const auto span = static_cast<double>(std::max<int64_t>(steps, 1));
  const Value progress = Minimum(step, span) / span;
  const Value cosine = 0.5 * (1.0 + Cos(std::numbers::pi * progress));
  return (1 - end) * cosine + end;
}

Value ScheduleFactor(const ScheduleConfig& config, Value count, int64_t total_steps) {
  const Value step = Convert(count, DType::kF32);
  return std::visit(
      [&](const auto& schedule) {
        const auto warmup = static_cast<double>(schedule.warmup_steps);
        const Value after = schedule.Factor(step - warmup, total_steps - schedule.warmup_steps);
        if (schedule.warmup_steps == 0) return after;
        return Select(Less(step, FullLike(step, warmup)), step / warmup, after);
      },
      config);
}

}  // namespace headrace::optim
