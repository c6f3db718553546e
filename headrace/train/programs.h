// The programs of training: initialization, the step, evaluation. Each is one compiled function.
//
// The step takes (state, batch) to (state, metrics, finite): forward, backward, accumulation over
// microbatches, clipping, optimizer, averages, metrics, and one flag a gradient that says whether it is
// finite. When any is not, the variables and slots stay as they were.
//
//   StateLayout layout = StateLayout::Of(task, options, mesh);
//   HR_TRY(PlacedFunction step, TraceStep(task, layout, batch_fields, mesh, options));
#pragma once

#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/graph/function.h"
#include "headrace/graph/mesh.h"
#include "headrace/tensor/named_tensor.h"
#include "headrace/train/state_layout.h"
#include "headrace/train/step_options.h"
#include "headrace/train/task.h"

namespace headrace::train {

// A function with what its parameters and results are laid out like.
struct PlacedFunction {
  Function function;
  std::vector<Sharding> parameters;
  std::vector<Sharding> results;
  std::vector<int> donations;
};

// key u32[2] -> state. A variable's initial value depends on the key and its name alone.
Result<PlacedFunction> TraceInit(const Task& task, const StateLayout& layout);

// (state, batch) -> (state, metrics f32[m], finite pred[trained variables]); the state is donated.
Result<PlacedFunction> TraceStep(const Task& task, const StateLayout& layout,
                                 const std::vector<NamedType>& batch, const Mesh& mesh,
                                 const StepOptions& options);

// What TraceStep's metrics are, in order: the task's means, learning_rate, grad_norm, and, where the loss is
// scaled, the loss_scale of this step.
std::vector<std::string> StepMetricNames(const Task& task, const StepOptions& options);

// (variables as evaluated, batch with `weight`) -> f32[1 + sums]: the weight, then the sums.
Result<PlacedFunction> TraceEval(const Task& task, const StateLayout& layout,
                                 const std::vector<NamedType>& batch, const Mesh& mesh, DType compute);

}  // namespace headrace::train
