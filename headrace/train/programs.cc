#include "headrace/train/programs.h"

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/jit/trace.h"
#include "headrace/optim/update_rule.h"
#include "headrace/train/sharding_rules.h"

namespace headrace::train {
namespace {

std::vector<const nn::VariableSpec*> Trained(const Task& task) {
  std::vector<const nn::VariableSpec*> trained;
  for (const nn::VariableSpec& spec : task.variables) {
    if (spec.trained) trained.push_back(&spec);
  }
  return trained;
}

Sharding Whole(int rank) { return Sharding::Replicated(rank); }

// The logical axes of a slot: those of the parameter's dimensions that it has.
std::vector<std::string> AxesOf(const optim::SlotSpec& slot, const nn::VariableSpec& parameter) {
  if (slot.axes.empty()) return parameter.axes;
  std::vector<std::string> axes;
  for (const int axis : slot.axes) axes.push_back(parameter.axes[static_cast<size_t>(axis)]);
  return axes;
}

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

// Part `index` of `count` of a batch: every count-th example, so that a batch split over devices stays split.
Fields Microbatch(const Fields& batch, int64_t index, int64_t count) {
  if (count == 1) return batch;
  Fields part;
  for (const auto& [name, x] : batch) {
    Ints dims = x.shape().dims();
    dims[0] /= count;
    Ints cut = dims;
    cut.insert(cut.begin() + 1, count);
    part.emplace(name, Reshape(Slice(Reshape(x, cut), 1, index, index + 1), dims));
  }
  return part;
}

// A vector of f32 scalars.
Value Stacked(const Values& scalars) {
  Values rows;
  for (Value scalar : scalars) rows.push_back(Reshape(Convert(scalar, DType::kF32), Ints{1}));
  return Concatenate(rows, 0);
}

// The mean of a batch's measures, the gradients of its loss, and the variables as the model left them.
struct Accumulated {
  std::map<std::string, Value> variables;
  Values gradients;
  Values means;
};

Accumulated Accumulate(const Task& task, std::map<std::string, Value> variables, const Fields& batch,
                       Value key, const StepOptions& options) {
  const auto trained = Trained(task);
  Values inputs;
  for (const nn::VariableSpec* spec : trained) inputs.push_back(variables.at(spec->name));

  Accumulated total;
  Value weight;
  auto add = [](Value& sum, Value term) { sum = sum ? sum + term : term; };
  for (int64_t i = 0; i < options.microbatches; ++i) {
    Graph& graph = key.graph();
    const Value own_key =
        options.microbatches == 1 ? key : FoldIn(key, Scalar(graph, DType::kU32, static_cast<double>(i)));
    nn::Frame frame =
        nn::Frame::Bind(graph, variables, {.train = true, .compute = options.compute, .key = own_key});
    const Measures measures = task.measure(frame, Microbatch(batch, i, options.microbatches));
    const Values gradients = Gradient(measures.sums.at(0).sum, inputs);
    total.gradients.resize(gradients.size());
    total.means.resize(measures.sums.size());
    for (size_t k = 0; k < gradients.size(); ++k) add(total.gradients[k], gradients[k]);
    for (size_t k = 0; k < measures.sums.size(); ++k) add(total.means[k], measures.sums[k].sum);
    add(weight, measures.weight);
    variables = frame.variables();  // statistics go from one microbatch to the next
  }
  for (Value& gradient : total.gradients) gradient = gradient / Convert(weight, gradient.dtype());
  for (Value& mean : total.means) mean = mean / weight;
  total.variables = std::move(variables);
  return total;
}

}  // namespace

StateLayout StateLayout::Of(const Task& task, const optim::Optimizer& optimizer, const Mesh& mesh) {
  StateLayout layout;
  for (const nn::VariableSpec& spec : task.variables) {
    layout.leaves.push_back(
        {spec.name, spec.type, ShardingOf(spec.type.shape, spec.axes, mesh), /*initial=*/0, /*model=*/true});
  }
  for (const nn::VariableSpec* spec : Trained(task)) {
    for (const optim::SlotSpec& slot : optimizer.Slots({spec->name, spec->type})) {
      layout.leaves.push_back({.name = fmt::format("optimizer.{}.{}", slot.name, spec->name),
                               .type = slot.type,
                               .sharding = ShardingOf(slot.type.shape, AxesOf(slot, *spec), mesh),
                               .initial = slot.initial});
    }
  }
  layout.leaves.push_back({"optimizer.count", {DType::kI32, {}}, Whole(0)});
  layout.leaves.push_back({"step", {DType::kI32, {}}, Whole(0)});
  layout.leaves.push_back({"key", {DType::kU32, {2}}, Whole(1)});
  return layout;
}

std::vector<Sharding> StateLayout::Shardings() const {
  std::vector<Sharding> shardings;
  for (const Leaf& leaf : leaves) shardings.push_back(leaf.sharding);
  return shardings;
}

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
    for (size_t i = state.size(); i + 1 < layout.leaves.size(); ++i)
      state.push_back(Full(graph, layout.leaves[i].type, layout.leaves[i].initial));
    state.push_back(key);
    return state;
  };
  const std::string name = "key";
  HR_TRY(Function function, jit::TryTrace("initialize", {&key_type, 1}, body, {&name, 1}));
  return PlacedFunction{std::move(function), {Whole(1)}, layout.Shardings(), {}};
}

std::vector<std::string> StepMetricNames(const Task& task) {
  std::vector<std::string> names = task.measure_names;
  names.insert(names.end(), {"learning_rate", "grad_norm"});
  return names;
}

Result<PlacedFunction> TraceStep(const Task& task, const StateLayout& layout,
                                 const std::vector<NamedType>& batch, const Mesh& mesh,
                                 const StepOptions& options) {
  const optim::UpdateRule rule(options.optimizer, options.schedule, options.total_steps);
  const auto trained = Trained(task);
  const size_t leaf_count = layout.leaves.size();

  Parameters parameters;
  for (const Leaf& leaf : layout.leaves) parameters.Add(leaf.name, leaf.type, leaf.sharding);
  parameters.AddBatch(batch, mesh);

  auto body = [&](std::span<const Value> a) {
    const Value count = a[leaf_count - 2];
    const Value key = a[leaf_count - 1];
    std::map<std::string, Value> old;
    for (size_t i = 0; i < leaf_count; ++i) old.emplace(layout.leaves[i].name, a[i]);
    std::map<std::string, Value> variables;
    for (const nn::VariableSpec& spec : task.variables) variables.emplace(spec.name, old.at(spec.name));

    Accumulated step = Accumulate(task, std::move(variables), FieldsOf(batch, a.subspan(leaf_count)),
                                  FoldIn(key, Convert(count, DType::kU32)), options);

    auto entered = a[0].graph().Enter("optimizer");
    Values flags;
    Value all_finite;
    for (Value gradient : step.gradients) {
      Ints axes;
      for (int axis = 0; axis < gradient.rank(); ++axis) axes.push_back(axis);
      const Value finite = All(IsFinite(gradient), axes);
      flags.push_back(Reshape(finite, Ints{1}));
      all_finite = all_finite ? And(all_finite, finite) : finite;
    }
    std::vector<optim::UpdateRule::Parameter> updated;
    std::vector<std::vector<std::string>> slot_names;
    for (size_t i = 0; i < trained.size(); ++i) {
      const optim::ParameterInfo info{trained[i]->name, trained[i]->type};
      Values slots;
      slot_names.emplace_back();
      for (const optim::SlotSpec& slot : rule.Slots(info)) {
        slot_names.back().push_back(fmt::format("optimizer.{}.{}", slot.name, info.name));
        slots.push_back(old.at(slot_names.back().back()));
      }
      updated.push_back({info, old.at(info.name), step.gradients[i], std::move(slots)});
    }
    const Value updates = old.at("optimizer.count");
    const optim::UpdateRule::Result update = rule.Apply(updated, updates, count);

    std::map<std::string, Value> next = step.variables;
    next["optimizer.count"] = updates + 1.0;
    for (size_t i = 0; i < trained.size(); ++i) {
      next[trained[i]->name] = update.updates[i].parameter;
      for (size_t k = 0; k < slot_names[i].size(); ++k) next[slot_names[i][k]] = update.updates[i].slots[k];
    }

    Values results;
    for (size_t i = 0; i + 2 < leaf_count; ++i) {
      results.push_back(Select(all_finite, next.at(layout.leaves[i].name), a[i]));
    }
    results.push_back(count + 1.0);
    results.push_back(key);
    Values metrics = step.means;
    metrics.insert(metrics.end(), {update.learning_rate, update.grad_norm});
    results.push_back(Stacked(metrics));
    results.push_back(Concatenate(flags, 0));
    return results;
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
    const Leaf& leaf = layout.leaves[i];
    parameters.Add(leaf.name, leaf.type, leaf.sharding);
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
