#include "headrace/train/state_layout.h"

#include <fmt/format.h>

#include "headrace/train/sharding_rules.h"

namespace headrace::train {
namespace {

// The logical axes of a slot: those of the parameter's dimensions that it has.
std::vector<std::string> AxesOf(const optim::SlotSpec& slot, const nn::VariableSpec& parameter) {
  if (slot.axes.empty()) return parameter.axes;
  std::vector<std::string> axes;
  for (const int axis : slot.axes) axes.push_back(parameter.axes[static_cast<size_t>(axis)]);
  return axes;
}

}  // namespace

std::string SlotName(const optim::SlotSpec& slot, std::string_view parameter) {
  return fmt::format("optimizer.{}.{}", slot.name, parameter);
}

std::string AverageName(std::string_view variable) { return fmt::format("average.{}", variable); }

StateLayout StateLayout::Of(const Task& task, const StepOptions& options, const Mesh& mesh) {
  StateLayout layout;
  auto add = [&](std::string_view name, const TensorType& type, Sharding sharding) -> Leaf& {
    return layout.leaves.emplace_back(Leaf{std::string(name), type, std::move(sharding)});
  };
  auto add_whole = [&](std::string_view name, DType dtype, const Shape& shape, double initial = 0) {
    add(name, {dtype, shape}, Sharding::Replicated(shape.rank())).initial = initial;
  };

  for (const nn::VariableSpec& spec : task.variables) {
    layout.evaluated.push_back(layout.leaves.size());
    add(spec.name, spec.type, ShardingOf(spec.type.shape, spec.axes, mesh)).model = true;
  }
  if (optim::Averages(options.average)) {
    for (size_t i = 0; i < task.variables.size(); ++i) {
      const std::string& name = task.variables[i].name;
      if (task.frozen.contains(name)) continue;
      Leaf& live = layout.leaves[i];
      live.model = false;
      live.stored = fmt::format("live.{}", name);
      layout.evaluated[i] = layout.leaves.size();
      Leaf& average = add(AverageName(name), live.type, Sharding(live.sharding));
      average.model = true;
      average.stored = name;
    }
  }
  const auto optimizer = optim::MakeOptimizer(options.optimizer);
  for (const nn::VariableSpec* spec : task.Trained()) {
    for (const optim::SlotSpec& slot : optimizer->Slots({spec->name, spec->type})) {
      add(SlotName(slot, spec->name), slot.type, ShardingOf(slot.type.shape, AxesOf(slot, *spec), mesh))
          .initial = slot.initial;
    }
  }
  if (options.ScalesLoss()) {
    add_whole(kLossScaleLeaf, DType::kF32, {}, options.loss_scale.initial);
    add_whole(kGoodStepsLeaf, DType::kI32, {});
  }
  add_whole(kUpdatesLeaf, DType::kI32, {});
  add_whole(kStepLeaf, DType::kI32, {});
  add_whole(kKeyLeaf, DType::kU32, {2});
  return layout;
}

std::vector<Sharding> StateLayout::Shardings() const {
  std::vector<Sharding> shardings;
  for (const Leaf& leaf : leaves) shardings.push_back(leaf.sharding);
  return shardings;
}

}  // namespace headrace::train
