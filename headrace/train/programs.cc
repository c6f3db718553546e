#include "headrace/train/programs.h"

#include "headrace/graph/ops.h"
#include "headrace/jit/trace.h"
#include "headrace/optim/update_rule.h"
#include "headrace/train/accumulate.h"
#include "headrace/train/sharding_rules.h"

namespace headrace::train {
namespace {

Sharding Whole(int rank) { return Sharding::Replicated(rank); }

// Types, names and shardings of a program's parameters, as they are added.
struct Parameters {
  Types types;
  std::vector<std::string> names;
  std::vector<Sharding> shardings;

  void Add(const std::string& name, const TensorType& type, Sharding sharding) {
    names.push_back(name);
    types.push_back(type);
    shardings.push_back(std::move(sharding));
  }
  void AddBatch(const std::vector<NamedType>& batch, const Mesh& mesh) {
    for (const NamedType& field : batch)
      Add("batch." + field.name, field.type, BatchSharding(field.type.shape, mesh));
  }
};

Fields FieldsOf(const std::vector<NamedType>& batch, std::span<const Value> values) {
  Fields fields;
  for (size_t i = 0; i < batch.size(); ++i) fields.emplace(batch[i].name, values[i]);
  return fields;
}

// A vector of f32 scalars.
Value Stacked(const Values& scalars) {
  Values converted;
  for (Value scalar : scalars) converted.push_back(Convert(scalar, DType::kF32));
  return Stack(converted);
}

// The body of the step.
class Step {
 public:
  Step(const Task& task, const StateLayout& layout, const StepOptions& options)
      : task_(task),
        layout_(layout),
        options_(options),
        rule_(options.optimizer, options.schedule, options.total_steps),
        trained_(task.Trained()) {}

  Values operator()(std::span<const Value> state, const Fields& batch) const {
    std::map<std::string, Value> old;
    for (size_t i = 0; i < state.size(); ++i) old.emplace(layout_.leaves[i].name, state[i]);
    std::map<std::string, Value> variables;
    for (const nn::VariableSpec& spec : task_.variables) variables.emplace(spec.name, old.at(spec.name));
    const Value step = old.at(kStepLeaf);
    const Value key = FoldIn(old.at(kKeyLeaf), Convert(step, DType::kU32));
    const Value scale = options_.ScalesLoss() ? old.at(kLossScaleLeaf) : Value();
    const Accumulated found = Accumulate(task_, variables, batch, key, options_, scale);

    auto entered = step.graph().Enter("optimizer");
    std::map<std::string, Value> next;
    const optim::UpdateRule::Result update = Update(old, found.gradients, next);
    for (const auto& [name, value] : found.variables) {
      const Value before = old.at(name);
      next.emplace(name, value == before ? value : Select(update.applied, value, before));
    }
    Average(old, next);
    if (scale) ScaleLoss(old, update.applied, next);
    next[kStepLeaf] = step + 1.0;

    Values results;
    for (const Leaf& leaf : layout_.leaves) {
      const auto changed = next.find(leaf.name);
      results.push_back(changed == next.end() ? old.at(leaf.name) : changed->second);
    }
    Values metrics = found.means;
    metrics.insert(metrics.end(), {update.learning_rate, update.grad_norm});
    if (scale) metrics.push_back(scale);
    results.push_back(Stacked(metrics));
    results.push_back(update.finite);
    return results;
  }

 private:
  // Puts the trained variables, their slots and the count of updates, as they are then, into `next`.
  optim::UpdateRule::Result Update(const std::map<std::string, Value>& old, const Values& gradients,
                                   std::map<std::string, Value>& next) const {
    std::vector<optim::UpdateRule::Parameter> parameters;
    std::vector<std::vector<std::string>> slot_names;
    for (size_t i = 0; i < trained_.size(); ++i) {
      const optim::ParameterInfo info{trained_[i]->name, trained_[i]->type};
      std::vector<std::string> names;
      Values slots;
      for (const optim::SlotSpec& slot : rule_.Slots(info)) {
        names.push_back(SlotName(slot, info.name));
        slots.push_back(old.at(names.back()));
      }
      parameters.push_back({info, old.at(info.name), gradients[i], std::move(slots)});
      slot_names.push_back(std::move(names));
    }
    const Value count = old.at(kUpdatesLeaf);
    optim::UpdateRule::Result result = rule_.Apply(parameters, count, old.at(kStepLeaf));
    for (size_t i = 0; i < trained_.size(); ++i) {
      next[trained_[i]->name] = result.updates[i].parameter;
      for (size_t k = 0; k < slot_names[i].size(); ++k) next[slot_names[i][k]] = result.updates[i].slots[k];
    }
    next[kUpdatesLeaf] = Select(result.applied, count + 1.0, count);
    return result;
  }

  // Of the weights as they are now, whether the update was withheld or not.
  void Average(const std::map<std::string, Value>& old, std::map<std::string, Value>& next) const {
    if (!optim::Averages(options_.average)) return;
    for (const nn::VariableSpec& spec : task_.variables) {
      if (task_.frozen.contains(spec.name)) continue;
      const std::string name = AverageName(spec.name);
      next[name] = optim::NextAverage(options_.average, old.at(name), next.at(spec.name), old.at(kStepLeaf));
    }
  }

  void ScaleLoss(const std::map<std::string, Value>& old, Value all_finite,
                 std::map<std::string, Value>& next) const {
    const LossScale now = {old.at(kLossScaleLeaf), old.at(kGoodStepsLeaf)};
    const LossScale scaled = NextLossScale(options_.loss_scale, now, all_finite);
    next[kLossScaleLeaf] = scaled.scale;
    next[kGoodStepsLeaf] = scaled.good_steps;
  }

  const Task& task_;
  const StateLayout& layout_;
  const StepOptions& options_;
  optim::UpdateRule rule_;
  std::vector<const nn::VariableSpec*> trained_;
};

}  // namespace

Result<PlacedFunction> TraceInit(const Task& task, const StateLayout& layout) {
  const TensorType key_type = {DType::kU32, {2}};
  auto body = [&](std::span<const Value> arguments) {
    const Value key = arguments[0];
    Graph& graph = key.graph();
    Values state;
    for (const nn::VariableSpec& spec : task.variables) {
      auto entered = graph.Enter("initialize." + spec.name);
      const Value own_key =
          FoldIn(key, Constant(graph, HostTensor::Scalar<uint32_t>(nn::PathHash(spec.name))));
      state.push_back(spec.initializer(own_key, spec.type));
    }
    for (size_t i = state.size(); i + 1 < layout.leaves.size(); ++i) {
      state.push_back(Full(graph, layout.leaves[i].type, layout.leaves[i].initial));
    }
    state.push_back(key);
    for (size_t i = 0; i < task.variables.size(); ++i) state[layout.evaluated[i]] = state[i];
    return state;
  };
  const std::string name = "key";
  HR_TRY(Function function, jit::TryTrace("initialize", {&key_type, 1}, body, {&name, 1}));
  return PlacedFunction{std::move(function), {Whole(1)}, layout.Shardings(), {}};
}

std::vector<std::string> StepMetricNames(const Task& task, const StepOptions& options) {
  std::vector<std::string> names = task.measure_names;
  names.insert(names.end(), {"learning_rate", "grad_norm"});
  if (options.ScalesLoss()) names.emplace_back("loss_scale");
  return names;
}

Result<PlacedFunction> TraceStep(const Task& task, const StateLayout& layout,
                                 const std::vector<NamedType>& batch, const Mesh& mesh,
                                 const StepOptions& options) {
  const size_t leaf_count = layout.leaves.size();
  Parameters parameters;
  for (const Leaf& leaf : layout.leaves) parameters.Add(leaf.name, leaf.type, leaf.sharding);
  parameters.AddBatch(batch, mesh);
  const Step step(task, layout, options);
  auto body = [&](std::span<const Value> a) {
    return step(a.first(leaf_count), FieldsOf(batch, a.subspan(leaf_count)));
  };

  HR_TRY(Function function, jit::TryTrace("train_step", parameters.types, body, parameters.names));
  PlacedFunction placed{std::move(function), std::move(parameters.shardings), layout.Shardings(), {}};
  placed.results.insert(placed.results.end(), {Whole(1), Whole(1)});
  placed.donations.assign(placed.parameters.size(), -1);
  for (size_t i = 0; i < leaf_count; ++i) placed.donations[i] = static_cast<int>(i);
  return placed;
}

Result<PlacedFunction> TraceEval(const Task& task, const StateLayout& layout,
                                 const std::vector<NamedType>& batch, const Mesh& mesh, DType compute) {
  const size_t variable_count = task.variables.size();
  Parameters parameters;
  for (size_t i = 0; i < variable_count; ++i) {
    const Leaf& leaf = layout.leaves[layout.evaluated[i]];
    parameters.Add(task.variables[i].name, leaf.type, leaf.sharding);
  }
  parameters.AddBatch(batch, mesh);
  auto body = [&](std::span<const Value> a) {
    std::map<std::string, Value> variables;
    for (size_t i = 0; i < variable_count; ++i) variables.emplace(task.variables[i].name, a[i]);
    nn::Frame frame =
        nn::Frame::Bind(a[0].graph(), std::move(variables), {.train = false, .compute = compute, .key = {}});
    const Measures measures = task.measure(frame, FieldsOf(batch, a.subspan(variable_count)));
    Values sums = {measures.weight};
    for (const NamedSum& sum : measures.sums) sums.push_back(sum.sum);
    return Values{Stacked(sums)};
  };
  HR_TRY(Function function, jit::TryTrace("evaluate", parameters.types, body, parameters.names));
  return PlacedFunction{std::move(function), std::move(parameters.shardings), {Whole(1)}, {}};
}

}  // namespace headrace::train
