// EvaluateRun: what `headrace eval` does: the last checkpoint of a run on the examples held out.
#pragma once

#include <string>

#include "headrace/run/session.h"

namespace headrace::run {

struct EvaluationReport {
  std::string checkpoint;
  int64_t step = 0;
  HeldOut held_out;
};

// kInvalidArgument without a run or a checkpoint, and for a run that holds nothing out.
Result<EvaluationReport> EvaluateRun(const std::string& path, const DeviceOptions& device);

std::string ToJson(const EvaluationReport& report);

}  // namespace headrace::run
