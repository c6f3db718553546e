// MetricGoal: a metric of the evaluations, and which way it should go. BestTracker: the best that it came to.
//
// What a tracker knows is part of a run's state and is saved with every checkpoint, so that a run that goes
// on judges as one that was never interrupted.
//
//   BestTracker tracker(MetricGoal{.metric = "accuracy", .mode = "max"});
//   if (tracker.Observe(step, accuracy)) KeepCheckpointOf(step);
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "headrace/core/config.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace::run {

struct MetricGoal {
  std::string metric = "loss";        // as evaluations name it
  std::optional<std::string> mode{};  // "min" or "max"; must be given, but for a loss

  void Fields(config::Visitor& v);
  Status Validate() const;

  // By more than `margin`. NaN is never better.
  bool IsBetter(double value, double than, double margin) const;
};

// When a run ends before its last step.
struct EarlyStoppingConfig : MetricGoal {
  int64_t patience = 3;  // evaluations in a row that are not better than the best
  double min_delta = 0;  // by how much one must be better to count

  void Fields(config::Visitor& v);
};

class BestTracker {
 public:
  explicit BestTracker(MetricGoal goal, double min_delta = 0)
      : goal_(std::move(goal)), min_delta_(min_delta) {}

  // Takes in what the evaluation after `step` gave; whether it is the best so far.
  bool Observe(int64_t step, double value);

  const MetricGoal& goal() const { return goal_; }
  // 0: no evaluation has given a number yet.
  int64_t best_step() const { return best_step_; }
  double best() const { return best_; }
  int64_t evaluations_since_best() const { return since_; }

  // f64[3].
  HostTensor State() const;
  // Nothing changes for what is no such state.
  void Restore(const HostTensor& state);

 private:
  MetricGoal goal_;
  double min_delta_;
  double best_ = 0;
  int64_t best_step_ = 0;
  int64_t since_ = 0;
};

}  // namespace headrace::run
