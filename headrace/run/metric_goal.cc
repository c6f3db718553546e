#include "headrace/run/metric_goal.h"

#include <array>
#include <cmath>

namespace headrace::run {

void MetricGoal::Fields(config::Visitor& v) {
  v.Field("metric", metric, "The metric, as evaluations name it: loss, accuracy", config::Required());
  v.Field("mode", mode, "Whether a smaller (min) or a larger value (max) is better; null: min, for a loss");
}

Status MetricGoal::Validate() const {
  if (mode && *mode != "min" && *mode != "max") {
    return InvalidArgument("mode: must be min or max, got \"{}\"", *mode);
  }
  if (!mode && !metric.ends_with("loss")) {
    return InvalidArgument("mode: say whether a smaller (min) or a larger {} (max) is better", metric);
  }
  return Ok();
}

bool MetricGoal::IsBetter(double value, double than, double margin) const {
  return mode == "max" ? value > than + margin : value < than - margin;
}

void EarlyStoppingConfig::Fields(config::Visitor& v) {
  MetricGoal::Fields(v);
  v.Field("patience", patience,
          "Evaluations in a row that may be no better than the best before the run ends", config::AtLeast(1));
  v.Field("min_delta", min_delta, "By how much a value must be better to count", config::AtLeast(0));
}

bool BestTracker::Observe(int64_t step, double value) {
  const bool is_first = best_step_ == 0 && !std::isnan(value);
  if (is_first || (best_step_ > 0 && goal_.IsBetter(value, best_, min_delta_))) {
    best_ = value;
    best_step_ = step;
    since_ = 0;
    return true;
  }
  ++since_;
  return false;
}

HostTensor BestTracker::State() const {
  return HostTensor::Of<double>({3}, {best_, static_cast<double>(best_step_), static_cast<double>(since_)});
}

void BestTracker::Restore(const HostTensor& state) {
  if (state.type() != TensorType{DType::kF64, {3}}) return;
  best_ = state.At(0);
  best_step_ = static_cast<int64_t>(state.At(1));
  since_ = static_cast<int64_t>(state.At(2));
}

}  // namespace headrace::run
