#include "headrace/run/checkpoint_choice.h"

#include <charconv>

#include "headrace/io/input_error.h"
#include "headrace/run/judge.h"

namespace headrace::run {
namespace {

Result<int64_t> ParseStep(std::string_view text) {
  int64_t step = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
  if (error == std::errc() && end == text.data() + text.size() && step >= 0) return step;
  return InvalidArgument("--checkpoint: expected best, last or the step of a checkpoint, got \"{}\"", text);
}

Status NoCheckpoint(const ExistingRun& run) {
  return InvalidArgument("the run at {} has no checkpoint yet", run.path);
}

Result<ChosenCheckpoint> ReadStep(const ExistingRun& run, int64_t step, CheckpointParts parts,
                                  std::string best_by) {
  HR_TRY(checkpoint::Checkpoint checkpoint, io::AsInput(run.checkpoints->Open(step)));
  checkpoint::Contents contents;
  if (parts == CheckpointParts::kAll) {
    HR_TRY(contents, checkpoint.ReadAll());
  } else {
    HR_TRY(contents.model, checkpoint.ReadModel());
  }
  return ChosenCheckpoint{std::move(checkpoint), std::move(contents), std::move(best_by)};
}

Result<ChosenCheckpoint> ReadLast(const ExistingRun& run) {
  HR_TRY(checkpoint::Restored restored, run.checkpoints->ReadLatest());
  if (!restored.checkpoint) return NoCheckpoint(run);
  return ChosenCheckpoint{*std::move(restored.checkpoint), std::move(restored.contents), {}};
}

// By what the newest checkpoint remembers; nothing where no evaluation has chosen one yet.
Result<std::optional<int64_t>> BestStep(const ExistingRun& run) {
  HR_TRY(const std::optional<checkpoint::Checkpoint> latest, run.checkpoints->Latest());
  if (!latest) return NoCheckpoint(run);
  return Judge::BestStepIn(*latest);
}

}  // namespace

std::string CheckpointChoice::ToString() const {
  return best_by.empty() ? name : fmt::format("{}, the best by {}", name, best_by);
}

Result<ChosenCheckpoint> ReadCheckpoint(const ExistingRun& run, std::string_view which,
                                        CheckpointParts parts) {
  if (which == "last") return ReadLast(run);
  if (!which.empty() && which != "best") {
    HR_TRY(const int64_t step, ParseStep(which));
    return ReadStep(run, step, parts, {});
  }
  const std::optional<MetricGoal>& best = run.config.checkpoint.best;
  if (!best && which.empty()) return ReadLast(run);
  if (!best) {
    return InvalidArgument(
        "the run at {} keeps no best checkpoint, since its config has no checkpoint.best; --checkpoint last, "
        "or a step, takes another",
        run.path);
  }
  HR_TRY(const std::optional<int64_t> step, BestStep(run));
  if (step) return ReadStep(run, *step, parts, best->metric);
  if (which.empty()) return ReadLast(run);
  return InvalidArgument("the run at {} has not been evaluated yet, so no checkpoint is the best", run.path);
}

}  // namespace headrace::run
