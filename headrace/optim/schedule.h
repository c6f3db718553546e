// Learning-rate schedules: the factor on the peak learning rate, from the number of steps done. As optax's.
//
// Each starts with a linear warm-up, if asked. Steps in a config count from the start of the run, the warm-up
// included. To add a schedule: a config with `kKind`, `Fields` and `Factor`, and its name in ScheduleConfig.
//
//   Value rate = peak * ScheduleFactor(CosineConfig{{.warmup_steps = 20}}, count, total_steps);
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "headrace/core/config.h"
#include "headrace/graph/value.h"

namespace headrace::optim {

// Where a schedule is. What it returns is the factor after the warm-up, an f32 scalar.
struct ScheduleTime {
  Value step;         // f32 scalar, counted from the end of the warm-up
  int64_t steps = 0;  // from there to the end of the run
  int64_t warmup = 0;
};

struct ScheduleOptions {
  // Whether it must know how many steps the run has.
  static constexpr bool kCountsOnLength = false;

  int64_t warmup_steps = 0;  // from warmup_start to the peak, linearly
  double warmup_start = 0;   // as a part of the peak

  void Fields(config::Visitor& v);
};

struct ConstantConfig : ScheduleOptions {
  static constexpr std::string_view kKind = "constant";
  Value Factor(const ScheduleTime& time) const;
};

// A straight line from the peak to `end` times it.
struct LinearConfig : ScheduleOptions {
  static constexpr std::string_view kKind = "linear";
  static constexpr bool kCountsOnLength = true;
  double end = 0;

  void Fields(config::Visitor& v);
  Value Factor(const ScheduleTime& time) const;
};

// Half a cosine from the peak down to `end` times it.
struct CosineConfig : ScheduleOptions {
  static constexpr std::string_view kKind = "cosine";
  static constexpr bool kCountsOnLength = true;
  double end = 0;

  void Fields(config::Visitor& v);
  Value Factor(const ScheduleTime& time) const;
};

// What is left of the run, to a power.
struct PolynomialConfig : ScheduleOptions {
  static constexpr std::string_view kKind = "polynomial";
  static constexpr bool kCountsOnLength = true;
  double power = 2;
  double end = 0;

  void Fields(config::Visitor& v);
  Value Factor(const ScheduleTime& time) const;
};

// Falls at each boundary to `scales` times what it was.
struct StepConfig : ScheduleOptions {
  static constexpr std::string_view kKind = "step";
  std::vector<int64_t> boundaries = {};  // steps, rising
  std::vector<double> scales = {0.1};    // one for each, or one for all

  void Fields(config::Visitor& v);
  Status Validate() const;
  Value Factor(const ScheduleTime& time) const;
};

// Falls to `decay_rate` times what it was in every `transition_steps`, but not below `end`.
struct ExponentialConfig : ScheduleOptions {
  static constexpr std::string_view kKind = "exponential";
  double decay_rate = 0.96;
  int64_t transition_steps = 1000;
  bool staircase = false;
  double end = 0;

  void Fields(config::Visitor& v);
  Value Factor(const ScheduleTime& time) const;
};

// Warm-up, stable, decay (Hu et al., 2024): the peak until the last `decay_steps`, then down to `end`.
struct WsdConfig : ScheduleOptions {
  static constexpr std::string_view kKind = "wsd";
  static constexpr bool kCountsOnLength = true;
  std::optional<int64_t> decay_steps = {};  // absent: a tenth of the run
  std::string shape = "linear";             // or "cosine", or "sqrt": 1 - sqrt(share of the decay done)
  double end = 0;

  void Fields(config::Visitor& v);
  Value Factor(const ScheduleTime& time) const;
};

// sqrt(timescale / (timescale + step)): with the warm-up as timescale, the schedule of Vaswani et al., 2017.
struct RsqrtConfig : ScheduleOptions {
  static constexpr std::string_view kKind = "rsqrt";
  std::optional<int64_t> timescale = {};  // steps; absent: the warm-up
  double end = 0;                         // not below this part of the peak

  void Fields(config::Visitor& v);
  Status Validate() const;
  Value Factor(const ScheduleTime& time) const;
};

using ScheduleConfig = std::variant<ConstantConfig, LinearConfig, CosineConfig, PolynomialConfig, StepConfig,
                                    ExponentialConfig, WsdConfig, RsqrtConfig>;

// The factor, an f32 scalar. `step` is an i32 scalar: steps done before this one, of `total_steps`.
Value ScheduleFactor(const ScheduleConfig& config, Value step, int64_t total_steps);

// Whether what was done so far depends on how many steps there will be.
inline bool CountsOnLength(const ScheduleConfig& config) {
  return std::visit([](const auto& schedule) { return schedule.kCountsOnLength; }, config);
}

}  // namespace headrace::optim
