#include "headrace/train/loop.h"

#include <fmt/ranges.h>

#include <chrono>

namespace headrace::train {
namespace {

using Clock = std::chrono::steady_clock;

double Seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

class Loop {
 public:
  Loop(Trainer& trainer, const LoopOptions& options, const LoopHooks& hooks)
      : trainer_(trainer), options_(options), hooks_(hooks) {}

  Result<LoopResult> Run() {
    last_done_ = last_logged_ = Clock::now();
    last_logged_step_ = trainer_.step();
    while (trainer_.step() < options_.steps) {
      HR_TRY(std::optional<data::Batch> batch, hooks_.next_batch());
      if (!batch) return Error(Code::kOutOfRange, "the data ends before step {}", trainer_.step());
      HR_TRY(PendingStep next, trainer_.Step(*batch));
      if (pending_) HR_TRY(Finish(trainer_.step() - 1));
      pending_ = std::move(next);

      const bool stop = hooks_.should_stop();
      const int64_t step = trainer_.step();
      const bool last = step == options_.steps;
      const bool save = last || stop || Due(options_.checkpoint_every, step);
      const bool evaluate = last || Due(options_.eval_every, step);
      if (save || evaluate) {
        HR_TRY(Finish(step));
        // In this order, what was evaluated and logged belongs to the state that is saved: a run that goes on
        // from there neither repeats nor misses it. But who asks to stop may not wait for an evaluation, and
        // then the state is worth more.
        const bool save_first = stop && !last;
        if (save_first) HR_TRY(hooks_.save(step));
        Judgement judgement;
        if (evaluate) {
          HR_TRY(judgement, hooks_.evaluate(step));
        }
        const bool worth_it = save || judgement.is_best || judgement.is_enough;
        if (worth_it && !save_first) HR_TRY(hooks_.save(step));
        last_done_ = Clock::now();  // neither belongs to the next step's time
        if (judgement.is_enough && !last) {
          result_.reason = StopReason::kEnough;
          break;
        }
      }
      if (stop && !last) {
        result_.reason = StopReason::kStopped;
        break;
      }
    }
    return std::move(result_);
  }

 private:
  static bool Due(int64_t every, int64_t step) { return every > 0 && step % every == 0; }

  // Waits for the pending step, which led to `step`, and tells what came of it.
  Status Finish(int64_t step) {
    if (!pending_) return Ok();
    HR_TRY(StepResult result, std::move(*pending_).Wait());
    pending_.reset();

    const Clock::time_point now = Clock::now();
    const double stalled = hooks_.stall_seconds();
    result_.times.Add(Seconds(now - last_done_), stalled - stalled_before_);
    last_done_ = now;
    stalled_before_ = stalled;

    if (result.nonfinite.empty()) {
      bad_steps_ = 0;
    } else {
      HR_TRY(hooks_.bad_step(step, result.nonfinite));
      if (++bad_steps_ >= options_.max_bad_steps) return GiveUp(step, result.nonfinite);
    }
    if (Due(options_.log_every, step) || step == options_.steps) {
      const double seconds = Seconds(now - last_logged_) / static_cast<double>(step - last_logged_step_);
      HR_TRY(hooks_.log({.step = step, .result = std::move(result), .step_seconds = seconds}));
      last_logged_ = Clock::now();
      last_logged_step_ = step;
    }
    return Ok();
  }

  Status GiveUp(int64_t step, const std::vector<std::string>& variables) const {
    return Error(
        Code::kFailedPrecondition,
        "the gradients were not finite in {} steps in a row, up to step {} (first in {}); every one of these "
        "updates was withheld. Lower the learning rate, clip the gradients (optimizer.clip_norm), or look at "
        "the data of these batches",
        bad_steps_, step, variables.front());
  }

  Trainer& trainer_;
  const LoopOptions& options_;
  const LoopHooks& hooks_;
  LoopResult result_;
  std::optional<PendingStep> pending_;
  Clock::time_point last_done_;
  Clock::time_point last_logged_;
  int64_t last_logged_step_ = 0;
  double stalled_before_ = 0;
  int64_t bad_steps_ = 0;
};

}  // namespace

Result<LoopResult> RunLoop(Trainer& trainer, const LoopOptions& options, const LoopHooks& hooks) {
  return Loop(trainer, options, hooks).Run();
}

}  // namespace headrace::train
