// StepTimes: what the steps of a run took, for the summary and for `headrace diagnose`.
//
// The first step is kept apart: it holds the compilation and says nothing about speed. Not thread-safe.
//
//   StepTimes times;
//   times.Add(0.021, /*stall_seconds=*/0.001);      // after every step
//   if (auto s = times.Summarize(/*examples_per_step=*/100)) Report(s->median_ms, s->examples_per_second);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace headrace::telemetry {

struct StepTimeSummary {
  int64_t steps = 0;  // how many were counted
  double median_ms = 0;
  double p90_ms = 0;
  double examples_per_second = 0;
  double stall_share = 0;  // of the time, in [0, 1], how much the device waited for data
};

class StepTimes {
 public:
  // One step took `seconds`, of which `stall_seconds` were spent waiting for its batch.
  void Add(double seconds, double stall_seconds = 0);

  // Every step but the first; nothing before there are two.
  std::optional<StepTimeSummary> Summarize(int64_t examples_per_step) const;

  // Of the first step; nothing before it.
  std::optional<double> first_step_seconds() const { return first_step_seconds_; }

 private:
  std::optional<double> first_step_seconds_;
  std::vector<double> seconds_;
  double stall_seconds_ = 0;
};

// The q-quantile of `values`, 0 <= q <= 1, interpolated linearly between the two nearest (numpy's default).
// REQUIRES: values is not empty
double Quantile(std::span<const double> values, double q);

}  // namespace headrace::telemetry
