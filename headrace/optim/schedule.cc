#include "headrace/optim/schedule.h"

#include <algorithm>
#include <array>
#include <numbers>

#include "headrace/graph/ops.h"

namespace headrace::optim {
namespace {

void EndField(config::Visitor& v, double& end) {
  v.Field("end", end, "Learning rate at the last step, as a part of the peak", config::Between(0, 1));
}
void FloorField(config::Visitor& v, double& end) {
  v.Field("end", end, "The learning rate does not fall below this part of the peak", config::Between(0, 1));
}

// How much of `steps` is done, from 0 to 1.
Value Progress(Value step, int64_t steps) {
  const auto span = static_cast<double>(std::max<int64_t>(steps, 1));
  return Minimum(Maximum(step, 0.0) / span, 1.0);  // a compiler that multiplies by 1 / span may pass 1
}

// From 1 to `end` as `left` goes from 1 to 0.
Value Between(double end, Value left) { return end == 0 ? left : (1 - end) * left + end; }

Value HalfCosine(Value progress) { return 0.5 * (1.0 + Cos(std::numbers::pi * progress)); }

}  // namespace

void ScheduleOptions::Fields(config::Visitor& v) {
  v.Field("warmup_steps", warmup_steps, "Steps of linear warm-up to the peak", config::AtLeast(0));
  v.Field("warmup_start", warmup_start,
          "Learning rate at the first step of the warm-up, as a part of the peak", config::Between(0, 1));
}

Value ConstantConfig::Factor(const ScheduleTime& time) const { return OnesLike(time.step); }

void LinearConfig::Fields(config::Visitor& v) {
  ScheduleOptions::Fields(v);
  EndField(v, end);
}

Value LinearConfig::Factor(const ScheduleTime& time) const {
  return Between(end, 1.0 - Progress(time.step, time.steps));
}

void CosineConfig::Fields(config::Visitor& v) {
  ScheduleOptions::Fields(v);
  EndField(v, end);
}

Value CosineConfig::Factor(const ScheduleTime& time) const {
  return Between(end, HalfCosine(Progress(time.step, time.steps)));
}

void PolynomialConfig::Fields(config::Visitor& v) {
  ScheduleOptions::Fields(v);
  v.Field("power", power, "Power of the part of the run that is left", config::Positive());
  EndField(v, end);
}

Value PolynomialConfig::Factor(const ScheduleTime& time) const {
  return Between(end, Pow(1.0 - Progress(time.step, time.steps), power));
}

void StepConfig::Fields(config::Visitor& v) {
  ScheduleOptions::Fields(v);
  v.Field("boundaries", boundaries, "Steps at which the learning rate falls, rising", config::AtLeast(1));
  v.Field("scales", scales, "What it is multiplied by: a number for each boundary, or one for all",
          config::AtLeast(0));
}

Status StepConfig::Validate() const {
  if (!std::ranges::is_sorted(boundaries, std::less_equal())) {
    return InvalidArgument("boundaries: must rise");
  }
  if (scales.size() != 1 && scales.size() != boundaries.size()) {
    return InvalidArgument("scales: {} numbers for {} boundaries; give one for each, or one for all",
                           scales.size(), boundaries.size());
  }
  if (!boundaries.empty() && boundaries.front() < warmup_steps) {
    return InvalidArgument("boundaries: {} lies in the warm-up of {} steps", boundaries.front(),
                           warmup_steps);
  }
  return Ok();
}

Value StepConfig::Factor(const ScheduleTime& time) const {
  Value factor = OnesLike(time.step);
  for (size_t i = 0; i < boundaries.size(); ++i) {
    const double scale = scales[scales.size() == 1 ? 0 : i];
    const Value before =
        Less(time.step, FullLike(time.step, static_cast<double>(boundaries[i] - time.warmup)));
    factor = Select(before, factor, scale * factor);
  }
  return factor;
}

void ExponentialConfig::Fields(config::Visitor& v) {
  ScheduleOptions::Fields(v);
  v.Field("decay_rate", decay_rate, "Factor on the learning rate in every transition_steps",
          config::Positive());
  v.Field("transition_steps", transition_steps, "Steps in which the learning rate falls by decay_rate",
          config::AtLeast(1));
  v.Field("staircase", staircase, "Fall at the end of every transition_steps rather than at every step");
  FloorField(v, end);
}

Value ExponentialConfig::Factor(const ScheduleTime& time) const {
  Value transitions = Maximum(time.step, 0.0) / static_cast<double>(transition_steps);
  if (staircase) transitions = Floor(transitions);
  return Maximum(Pow(FullLike(time.step, decay_rate), transitions), end);
}

void WsdConfig::Fields(config::Visitor& v) {
  static constexpr std::array<std::string_view, 3> kShapes = {"linear", "cosine", "sqrt"};
  ScheduleOptions::Fields(v);
  v.Field("decay_steps", decay_steps,
          "Last steps of the run, in which the learning rate falls; null: a tenth", config::AtLeast(1));
  v.OneOf("shape", shape, kShapes, "How it falls; sqrt is 1 - sqrt(share of the decay that is done)");
  EndField(v, end);
}

Value WsdConfig::Factor(const ScheduleTime& time) const {
  const int64_t decay = std::min(decay_steps.value_or((time.steps + time.warmup + 9) / 10), time.steps);
  const Value done = Progress(time.step - static_cast<double>(time.steps - decay), decay);
  if (shape == "cosine") return Between(end, HalfCosine(done));
  return Between(end, 1.0 - (shape == "sqrt" ? Sqrt(done) : done));
}

void RsqrtConfig::Fields(config::Visitor& v) {
  ScheduleOptions::Fields(v);
  v.Field("timescale", timescale,
          "Steps t in sqrt(t / (t + steps after the warm-up)); null: those of the warm-up",
          config::AtLeast(1));
  FloorField(v, end);
}

Status RsqrtConfig::Validate() const {
  if (timescale || warmup_steps > 0) return Ok();
  return InvalidArgument("timescale: give one, or warmup_steps to take it from");
}

Value RsqrtConfig::Factor(const ScheduleTime& time) const {
  const auto scale = static_cast<double>(timescale.value_or(time.warmup));
  return Maximum(Rsqrt(1.0 + Maximum(time.step, 0.0) / scale), end);
}

Value ScheduleFactor(const ScheduleConfig& config, Value step, int64_t total_steps) {
  const Value now = Convert(step, DType::kF32);
  return std::visit(
      [&](const auto& schedule) {
        const int64_t warmup_steps = schedule.warmup_steps;
        const auto warmup = static_cast<double>(warmup_steps);
        const Value after = schedule.Factor({.step = warmup_steps == 0 ? now : now - warmup,
                                             .steps = total_steps - warmup_steps,
                                             .warmup = warmup_steps});
        if (warmup_steps == 0) return after;
        const double start = schedule.warmup_start;
        const Value rising = start == 0 ? now / warmup : (1 - start) * (now / warmup) + start;
        return Select(Less(now, FullLike(now, warmup)), rising, after);
      },
      config);
}

}  // namespace headrace::optim
