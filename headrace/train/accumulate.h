// Accumulate: the gradients of a batch's mean loss, worked out microbatch after microbatch to save memory.
//
// The sum over microbatches is that over the batch, weights included, but for the order of rounding; state
// such as batch statistics goes from one microbatch to the next. Each folds its number into the random key.
#pragma once

#include <map>
#include <string>

#include "headrace/train/step_options.h"
#include "headrace/train/task.h"

namespace headrace::train {

struct Accumulated {
  std::map<std::string, Value> variables;  // as the model left them
  Values gradients;                        // of each trained variable, in the task's order
  Values means;                            // of the task's measures
};

// `loss_scale`: f32 scalar that the loss is multiplied by on the way back, and the gradients divided by
// after; empty: 1.
Accumulated Accumulate(const Task& task, const std::map<std::string, Value>& variables, const Fields& batch,
                       Value key, const StepOptions& options, Value loss_scale);

}  // namespace headrace::train
