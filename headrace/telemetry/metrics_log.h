// MetricsLog: metrics.jsonl, one JSON object a logged step.
//
//   {"step": 300, "time": 1764495120.123, "loss": 0.1023, "learning_rate": 0.002}
//
// The file goes on where a resumed run goes on: opening it cuts off the lines of later steps and whatever a
// killed process left half-written, so that every step is there once and steps only grow. Numbers as
// JsonObject writes them; a value that is exactly a float is written as one, so losses read 0.1023 and not
// 0.10230000317096710. Not thread-safe.
//
//   HR_TRY(auto log, MetricsLog::Open("runs/mnist/metrics.jsonl", /*last_step=*/300));
//   HR_TRY(log->Write({.step = 310, .time = now, .values = {{"loss", 0.1}}}));
#pragma once

#include <memory>

#include "headrace/io/log_file.h"
#include "headrace/telemetry/metrics.h"

namespace headrace::telemetry {

class MetricsLog final : public MetricsSink {
 public:
  // Opens `path`, or makes it, and keeps its lines up to step `last_step` (0 for a run that begins). Of a
  // line that is no line of metrics nothing is kept, nor of what follows.
  static Result<std::unique_ptr<MetricsLog>> Open(std::string path, int64_t last_step);

  // kInvalidArgument unless the step is greater than that of the last line.
  Status Write(const StepMetrics& metrics) override;
  Status Flush() override { return log_->Flush(); }

  // The step of the last line; 0 while there is none.
  int64_t last_step() const { return last_step_; }

 private:
  MetricsLog(std::unique_ptr<io::LogFile> log, int64_t last_step)
      : log_(std::move(log)), last_step_(last_step) {}

  std::unique_ptr<io::LogFile> log_;
  int64_t last_step_;
};

}  // namespace headrace::telemetry
