// ReadCheckpoint: the checkpoint of a run that a command works on: the best one where the run keeps it
// (checkpoint.best), else the last one, unless another is asked for.
//
//   HR_TRY(const ChosenCheckpoint chosen, ReadCheckpoint(run, "best", CheckpointParts::kModel));
//   Print(chosen.Choice().ToString());   // "runs/mnist/checkpoints/step-000300, the best by loss"
#pragma once

#include <string>
#include <string_view>

#include "headrace/checkpoint/checkpoint.h"
#include "headrace/core/status.h"
#include "headrace/run/run_directory.h"

namespace headrace::run {

// What a report says of the checkpoint that it is about.
struct CheckpointChoice {
  std::string name;     // "runs/mnist/checkpoints/step-000300"
  std::string best_by;  // the metric, where it was taken for being the best; else empty

  std::string ToString() const;
};

enum class CheckpointParts { kModel, kAll };

struct ChosenCheckpoint {
  checkpoint::Checkpoint checkpoint;
  checkpoint::Contents contents;
  std::string best_by;

  CheckpointChoice Choice() const { return {checkpoint.Name(), best_by}; }
};

// `which` is "best", "last", a step, or empty. kInvalidArgument for a run without a checkpoint, for a step
// that has none, naming those that do, and for the best of a run that keeps none. The last is read whole
// whatever the parts: one that is damaged anywhere is passed over.
Result<ChosenCheckpoint> ReadCheckpoint(const ExistingRun& run, std::string_view which,
                                        CheckpointParts parts);

}  // namespace headrace::run
