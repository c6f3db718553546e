// The programs of training: initialization, the step, evaluation. Each is one compiled function.
//
// The state of training is a flat list of leaves, described by a StateLayout: the model's variables, the
// optimizer's slots, the number of updates done and the random key. The step takes (state, batch) to (state,
// metrics, finite): forward, backward, accumulation over microbatches, clipping, optimizer, metrics, and one
// flag a gradient that says whether it is finite. When any is not, the state but for the step count stays as
// it was.
//
//   StateLayout layout = StateLayout::Of(task, *optimizer, mesh);
//   HR_TRY(Function step, TraceStep(task, layout, batch_fields, step_options));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/graph/function.h"
#include "headrace/graph/mesh.h"
#include "headrace/optim/optimizers.h"
#include "headrace/optim/schedule.h"
#include "headrace/tensor/named_tensor.h"
#include "headrace/train/task.h"

namespace headrace::train {

struct Leaf {
  std::string name;  // "fc.weight"; "optimizer.mu.fc.weight"; "step"; "key"
  TensorType type;
  Sharding sharding;
  double initial = 0;  // of every element; a variable has its initializer
  bool model = false;  // belongs to the model's folder in a checkpoint
};

struct StateLayout {
  std::vector<Leaf> leaves;

  // Variables in the task's order, then for each trained one its slots, then counters and key.
  static StateLayout Of(const Task& task, const optim::Optimizer& optimizer, const Mesh& mesh);

  std::vector<Sharding> Shardings() const;
};

struct StepOptions {
  optim::OptimizerConfig optimizer;
  optim::ScheduleConfig schedule;
  int64_t total_steps = 0;   // what the schedule counts on
  int64_t microbatches = 1;  // into how many parts a batch is cut, one after the other
  DType compute = DType::kF32;
};

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

// What TraceStep's metrics are, in order: the task's means, learning_rate, grad_norm.
std::vector<std::string> StepMetricNames(const Task& task);

// (variables, batch with `weight`) -> f32[1 + sums]: the weight, then the sums.
Result<PlacedFunction> TraceEval(const Task& task, const StateLayout& layout,
                                 const std::vector<NamedType>& batch, const Mesh& mesh, DType compute);

}  // namespace headrace::train
