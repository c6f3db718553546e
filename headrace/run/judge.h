// Judge: what a run's evaluations decide: when it ends before its last step, and which checkpoint is the
// best.
//
// What it knows is saved with every checkpoint, so that a run that goes on decides as one that was never
// interrupted.
//
//   Judge judge(config);
//   judge.Observe(step, means);
//   if (judge.IsEnough()) …
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headrace/checkpoint/checkpoint.h"
#include "headrace/checkpoint/snapshot.h"
#include "headrace/run/run_config.h"
#include "headrace/run/session.h"

namespace headrace::run {

// The best evaluation of a run, as its summary tells it.
struct BestEvaluation {
  std::string metric;  // "accuracy"
  double value = 0;
  int64_t step = 0;
};

class Judge {
 public:
  explicit Judge(const RunConfig& config);

  // kInvalidArgument for a metric that evaluations do not give: `names` are those that they do, none where
  // nothing is held out.
  Status CheckMetrics(std::span<const std::string> names) const;

  // Takes in the evaluation after `step`. REQUIRES: CheckMetrics(the names of means)
  void Observe(int64_t step, std::span<const NamedMean> means);

  // Whether anything depends on evaluations, and the step after which the last of them was.
  bool IsWatching() const { return stopping_ || keeping_; }
  int64_t last_step() const { return last_step_; }

  // Whether the run ends here.
  bool IsEnough() const;
  // The step whose checkpoint is kept, if one is.
  std::optional<int64_t> BestCheckpoint() const;
  // By the metric of checkpoint.best, else by that of early stopping.
  std::optional<BestEvaluation> Best() const;

  void SaveTo(checkpoint::TensorMap& state) const;
  void RestoreFrom(const checkpoint::TensorMap& state);

  // The step whose checkpoint is kept, as one that was saved knows it; nothing where it knows of none.
  static Result<std::optional<int64_t>> BestStepIn(const checkpoint::Checkpoint& checkpoint);

 private:
  std::optional<BestTracker> stopping_;
  int64_t patience_ = 0;
  std::optional<BestTracker> keeping_;
  int64_t last_step_ = 0;
};

}  // namespace headrace::run
