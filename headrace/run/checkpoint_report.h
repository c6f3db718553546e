// What `headrace checkpoint list` and `headrace checkpoint verify` tell of a run's folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headrace/core/status.h"

namespace headrace::run {

struct CheckpointReport {
  struct Line {
    std::string name;  // "runs/mnist/checkpoints/step-000600"
    int64_t step = 0;
    std::string created;  // UTC, "2026-11-30T09:32:00Z"
    int64_t bytes = 0;
    std::string params_sha256;
    std::vector<std::string> damage;  // sentences; only verifying looks for it
  };
  std::vector<Line> checkpoints;      // by step
  std::vector<std::string> warnings;  // of folders that are no whole checkpoint

  bool IsWhole() const;
};

// The committed checkpoints; kInvalidArgument if that is no folder of a run.
Result<CheckpointReport> ListCheckpoints(const std::string& run_folder);

// The same, every file rehashed.
Result<CheckpointReport> VerifyCheckpoints(const std::string& run_folder);

}  // namespace headrace::run
