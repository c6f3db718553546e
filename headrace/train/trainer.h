// Trainer: the state of training on devices, and the programs that move it on. One step, one evaluation, one
// copy to the host; the loop around it is in loop.h.
//
// Owns the state. Steps are asynchronous: Step returns once the work is enqueued. For one thread. The client
// behind `devices` outlives it.
//
//   HR_TRY(std::unique_ptr<Trainer> trainer, Trainer::Create(devices, task, batch_fields, options));
//   HR_TRY(trainer->Initialize(seed));
//   HR_TRY(PendingStep step, trainer->Step(batch));
//   HR_TRY(StepResult result, std::move(step).Wait());
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headrace/checkpoint/checkpoint.h"
#include "headrace/data/batch.h"
#include "headrace/jit/program.h"
#include "headrace/train/programs.h"

namespace headrace::train {

struct StepResult {
  std::vector<double> metrics;         // as Trainer::metric_names
  std::vector<std::string> nonfinite;  // variables whose gradients were not finite; the update was withheld
  // f16 only: the update was withheld because the loss was scaled by too much. This is part of finding the
  // scale, and nothing is wrong; `nonfinite` is then empty.
  bool scaled_too_much = false;
};

// A step that has been enqueued.
class PendingStep {
 public:
  // Blocks until the step is done. Call once.
  Result<StepResult> Wait() &&;

 private:
  friend class Trainer;
  std::optional<jit::Array::Fetch> metrics_;
  std::optional<jit::Array::Fetch> finite_;
  bool scales_loss_ = false;
  const std::vector<std::string>* trained_ = nullptr;  // names, of the Trainer
};

// Means over a set of examples, as Task::EvaluatedNames().
struct Evaluation {
  double weight = 0;  // how much counted: examples, tokens or pixels, as the task weighs them
  std::vector<double> means;
};

class Trainer {
 public:
  // Traces and compiles. `batch` are the fields of a training batch, all its examples included.
  // kInvalidArgument when the batch does not divide over microbatches and devices, or a pattern of names in
  // the options matches nothing.
  static Result<std::unique_ptr<Trainer>> Create(jit::Devices devices, Task task,
                                                 std::vector<NamedType> batch, const StepOptions& options);

  const StateLayout& layout() const { return layout_; }
  const Task& task() const { return task_; }
  const std::vector<std::string>& metric_names() const { return metric_names_; }
  const jit::Program& step_program() const { return *step_; }

  // The state at step 0, from the seed; variables in `given`, by name, take their values from there.
  // kInvalidArgument names what the model does not have, and what has another shape. Floating-point values
  // are converted.
  Status Initialize(uint64_t seed, const checkpoint::TensorMap& given = {});
  // The state that ToHost gave. kInvalidArgument names what is missing or of another type.
  Status Restore(const checkpoint::Contents& contents);

  // Updates begun since step 0. REQUIRES, from here on: Initialize or Restore
  int64_t step() const { return steps_; }

  // Places the batch and enqueues one step.
  Result<PendingStep> Step(const data::Batch& batch);

  // Measures the model as it is now (its averages, where there are some) on all of `batches`; compiles on the
  // first call. Blocks.
  Result<Evaluation> Evaluate(const data::EvalBatches& batches);

  // The state on the host; blocks until the steps that were enqueued are done. Training may go on at once.
  Result<checkpoint::Contents> ToHost() const;

 private:
  Trainer(jit::Devices devices, Task task, std::vector<NamedType> batch, const StepOptions& options);
  Status Give(const std::string& name, const HostTensor& value);
  Result<std::vector<jit::Array>> Place(const std::vector<NamedType>& fields, const data::Batch& batch) const;

  jit::Devices devices_;
  Task task_;
  std::vector<NamedType> batch_;
  StepOptions options_;
  StateLayout layout_;
  std::vector<std::string> trained_;
  std::vector<std::string> metric_names_;
  std::optional<jit::Program> step_;
  std::optional<jit::Program> eval_;
  std::vector<NamedType> eval_batch_;
  std::vector<jit::Array> state_;
  int64_t steps_ = 0;
};

}  // namespace headrace::train
