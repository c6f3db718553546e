// EvaluateRun: what `headrace eval` does: a checkpoint of a run on the examples held out.
#pragma once

#include <string>
#include <string_view>

#include "headrace/run/checkpoint_choice.h"
#include "headrace/run/session.h"

namespace headrace::run {

struct EvaluationReport {
  CheckpointChoice checkpoint;
  int64_t step = 0;
  HeldOut held_out;
};

// `checkpoint` as ReadCheckpoint takes it. kInvalidArgument without a run or a checkpoint, and for a run that
// holds nothing out.
Result<EvaluationReport> EvaluateRun(const std::string& path, std::string_view checkpoint,
                                     const DeviceOptions& device);

std::string ToJson(const EvaluationReport& report);

}  // namespace headrace::run
