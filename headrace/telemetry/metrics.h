// StepMetrics: what is known of a logged step, and the sinks that keep it.
//
// The training loop makes one StepMetrics a logged step and hands it to every sink; a new place to send
// metrics to is a new sink.
//
//   StepMetrics metrics{.step = 300, .time = now, .values = {{"loss", 0.1023}, {"learning_rate", 2e-3}}};
//   for (auto& sink : sinks) HR_TRY(sink->Write(metrics));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headrace/core/status.h"

namespace headrace::telemetry {

// Names are words with '_', and '/' where TensorBoard should group: "loss", "grad_norm", "eval/accuracy".
struct Metric {
  std::string name;
  double value = 0;
};

struct StepMetrics {
  int64_t step = 0;
  double time = 0;  // seconds since 1970
  std::vector<Metric> values;
};

class MetricsSink {
 public:
  virtual ~MetricsSink() = default;
  // Steps must grow from call to call.
  virtual Status Write(const StepMetrics& metrics) = 0;
  // What was written survives the death of the process, and others can read it.
  virtual Status Flush() = 0;
};

}  // namespace headrace::telemetry
