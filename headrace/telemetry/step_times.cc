#include "headrace/telemetry/step_times.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "headrace/core/check.h"

namespace headrace::telemetry {

void StepTimes::Add(double seconds, double stall_seconds) {
  if (!first_step_seconds_) {
    first_step_seconds_ = seconds;
    return;
  }
  seconds_.push_back(seconds);
  stall_seconds_ += stall_seconds;
}

std::optional<StepTimeSummary> StepTimes::Summarize(int64_t examples_per_step) const {
  if (seconds_.empty()) return std::nullopt;
  double total = std::accumulate(seconds_.begin(), seconds_.end(), 0.0);
  StepTimeSummary summary;
  summary.steps = static_cast<int64_t>(seconds_.size());
  summary.median_ms = 1e3 * Quantile(seconds_, 0.5);
  summary.p90_ms = 1e3 * Quantile(seconds_, 0.9);
  if (total > 0) {
    summary.examples_per_second = static_cast<double>(summary.steps * examples_per_step) / total;
    summary.stall_share = std::clamp(stall_seconds_ / total, 0.0, 1.0);
  }
  return summary;
}

double Quantile(std::span<const double> values, double q) {
  HR_CHECK(!values.empty() && q >= 0 && q <= 1);
  std::vector<double> sorted(values.begin(), values.end());
  double position = q * static_cast<double>(sorted.size() - 1);
  auto below = sorted.begin() + static_cast<std::ptrdiff_t>(std::floor(position));
  std::nth_element(sorted.begin(), below, sorted.end());
  double fraction = position - std::floor(position);
  if (fraction == 0) return *below;
  double above = *std::min_element(below + 1, sorted.end());
  return *below + fraction * (above - *below);
}

}  // namespace headrace::telemetry
