// StateLayout: the state of training as a flat list of named leaves: the model's variables, their averages,
// the optimizer's slots, counters and the random key.
//
// A checkpoint has two parts. `model/` holds what is evaluated and served, under the names of the variables:
// the averages where there are some, else the variables. `state/` holds all else; beside averages, the
// weights that training goes on from are there as `live.NAME`.
//
//   StateLayout layout = StateLayout::Of(task, options, mesh);
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headrace/graph/mesh.h"
#include "headrace/optim/optimizer.h"
#include "headrace/train/step_options.h"
#include "headrace/train/task.h"

namespace headrace::train {

struct Leaf {
  std::string name;  // "fc.weight"; "average.fc.weight"; "optimizer.mu.fc.weight"; "step"; "key"
  TensorType type;
  Sharding sharding;
  double initial = 0;       // of every element; a variable has its initializer
  bool model = false;       // belongs to the model's folder in a checkpoint
  std::string stored = {};  // its name there, if another

  const std::string& stored_name() const { return stored.empty() ? name : stored; }
};

struct StateLayout {
  std::vector<Leaf> leaves;
  // By variable: the leaf that is evaluated; its average, or the variable itself.
  std::vector<size_t> evaluated;

  // Variables in the task's order, then averages, then slots, then counters and, last, `step` and `key`.
  static StateLayout Of(const Task& task, const StepOptions& options, const Mesh& mesh);

  std::vector<Sharding> Shardings() const;
};

// "optimizer.mu.fc.weight", "average.fc.weight".
std::string SlotName(const optim::SlotSpec& slot, std::string_view parameter);
std::string AverageName(std::string_view variable);

inline constexpr const char* kStepLeaf = "step";                // steps begun, i32
inline constexpr const char* kKeyLeaf = "key";                  // the random key of the run, u32[2]
inline constexpr const char* kUpdatesLeaf = "optimizer.count";  // updates that were not withheld, i32
inline constexpr const char* kLossScaleLeaf = "loss_scale";
inline constexpr const char* kGoodStepsLeaf = "loss_scale.good_steps";

}  // namespace headrace::train
