// RunLoop: feeds a Trainer until the run is done, and keeps the host out of the device's way.
//
// While step k computes, the host prepares and places batch k+1; the metrics of step k are read when step k+1
// has been enqueued. What happens around the steps (logs, checkpoints, evaluation, being asked to stop) comes
// in as functions, so the loop knows no files and no signals. Step k uses batch k: a loop that begins at step
// k goes on exactly.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "headrace/core/status.h"
#include "headrace/data/batch.h"
#include "headrace/telemetry/step_times.h"
#include "headrace/train/trainer.h"

namespace headrace::train {

struct LoopOptions {
  int64_t steps = 0;             // the step at which the run is done
  int64_t log_every = 10;        // steps
  int64_t checkpoint_every = 0;  // steps; 0: only at the end
  int64_t eval_every = 0;        // steps; 0: only at the end
  int64_t max_bad_steps = 10;    // in a row, before the run gives up
};

struct LoggedStep {
  int64_t step = 0;  // updates done, this one included
  StepResult result;
  double step_seconds = 0;  // mean since the last one logged
};

// What an evaluation decides.
struct Judgement {
  bool is_best = false;    // its state is worth a checkpoint
  bool is_enough = false;  // the run ends here
};

struct LoopHooks {
  // The batch of the next step.
  std::function<Result<std::optional<data::Batch>>()> next_batch;
  std::function<double()> stall_seconds;         // spent waiting for batches so far
  std::function<Status(const LoggedStep&)> log;  // every log_every steps, and the last one
  std::function<Status(int64_t step)> save;      // the state is that after `step`
  std::function<Result<Judgement>(int64_t step)>
      evaluate;  // likewise; called before save, but after it when stopping
  std::function<Status(int64_t step, const std::vector<std::string>& variables)>
      bad_step;                       // an update was withheld
  std::function<bool()> should_stop;  // asked between steps
};

enum class StopReason { kDone, kStopped, kEnough };

struct LoopResult {
  StopReason reason = StopReason::kDone;
  telemetry::StepTimes times;
};

// Runs steps trainer.step() … options.steps - 1, or fewer where an evaluation says that it is enough. When
// asked to stop it finishes the step under way, saves, evaluates if that step is one for it, and returns.
// kFailedPrecondition after max_bad_steps in a row without finite gradients, naming where they were not; the
// state that was last saved is safe.
Result<LoopResult> RunLoop(Trainer& trainer, const LoopOptions& options, const LoopHooks& hooks);

}  // namespace headrace::train
