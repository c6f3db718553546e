// Diagnose: what `headrace diagnose` does: reads what a run left behind and says, with numbers, how it is
// doing.
//
// Looks at the metrics, the summary and the checkpoints; needs no device and no data, so that it can be asked
// about a run that is under way, was killed, or lies on another machine.
#pragma once

#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/run/doctor.h"

namespace headrace::run {

// One line of metrics.jsonl.
struct MetricsLine {
  int64_t step = 0;
  double loss = 0;
  double accuracy = 0;
  double grad_norm = 0;
  double step_time_ms = 0;
};

// Findings in the order in which they matter. kInvalidArgument if there is no run at `path`.
Result<std::vector<Finding>> Diagnose(const std::string& path);

// ---- the judgements, each from numbers alone ----

// Whether the loss fell, stands still, rises, or is not a number.
Finding JudgeLoss(const std::vector<MetricsLine>& lines);
// Gradient norms: far above their median now and then, or gone.
Finding JudgeGradients(const std::vector<MetricsLine>& lines);
// Step times: steady or not.
Finding JudgeSpeed(const std::vector<MetricsLine>& lines);
// The loss on held-out examples beside that of training at the end.
Finding JudgeFit(double train_loss, double eval_loss);
// The share of the step time spent waiting for data.
Finding JudgeInput(double stall_share);

}  // namespace headrace::run
