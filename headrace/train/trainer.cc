#include "headrace/train/trainer.h"

#include <algorithm>
#include <set>

#include "headrace/core/config.h"
#include "headrace/optim/optimizers.h"
#include "headrace/train/sharding_rules.h"

namespace headrace::train {
namespace {

Result<jit::Program> Compile(const jit::Devices& devices, Result<PlacedFunction> traced,
                             Precision precision = Precision::kDefault) {
  HR_TRY(PlacedFunction placed, std::move(traced));
  return jit::Program::Compile(devices, placed.function,
                               {.parameter_shardings = std::move(placed.parameters),
                                .result_shardings = std::move(placed.results),
                                .donations = std::move(placed.donations),
                                .default_precision = precision});
}

void AddPointers(std::span<const jit::Array> arrays, std::vector<const jit::Array*>& pointers) {
  for (const jit::Array& array : arrays) pointers.push_back(&array);
}

Status CheckBatch(const std::vector<NamedType>& batch, const Mesh& mesh, int64_t microbatches) {
  const int64_t parts = BatchParts(mesh) * microbatches;
  for (const NamedType& field : batch) {
    if (field.type.shape.rank() == 0 || field.type.shape[0] % parts != 0) {
      return InvalidArgument("a batch of {} examples does not divide into {} microbatches on {} devices each",
                             field.type.shape.rank() == 0 ? 0 : field.type.shape[0], microbatches,
                             BatchParts(mesh));
    }
  }
  return Ok();
}

}  // namespace

Result<StepResult> PendingStep::Wait() && {
  HR_TRY(HostTensor metrics, std::move(*metrics_).Wait());
  HR_TRY(HostTensor finite, std::move(*finite_).Wait());
  StepResult result;
  for (int64_t i = 0; i < metrics.size(); ++i) result.metrics.push_back(metrics.At(i));
  for (int64_t i = 0; i < finite.size(); ++i) {
    if (finite.At(i) == 0) result.nonfinite.push_back(trained_->at(static_cast<size_t>(i)));
  }
  if (scales_loss_ && !result.nonfinite.empty() && result.metrics.back() > 1) {  // the loss_scale
    result.nonfinite.clear();
    result.scaled_too_much = true;
  }
  return result;
}

Trainer::Trainer(jit::Devices devices, Task task, std::vector<NamedType> batch, const StepOptions& options)
    : devices_(std::move(devices)), task_(std::move(task)), batch_(std::move(batch)), options_(options) {
  layout_ = StateLayout::Of(task_, options_, devices_.mesh());
  for (const nn::VariableSpec* spec : task_.Trained()) trained_.push_back(spec->name);
  metric_names_ = StepMetricNames(task_, options_);
}

Result<std::unique_ptr<Trainer>> Trainer::Create(jit::Devices devices, Task task,
                                                 std::vector<NamedType> batch, const StepOptions& options) {
  HR_TRY(CheckBatch(batch, devices.mesh(), options.microbatches));
  HR_TRY(optim::CheckPatterns(options.optimizer, ParameterNames(task)));
  std::unique_ptr<Trainer> trainer(
      new Trainer(std::move(devices), std::move(task), std::move(batch), options));
  HR_TRY(trainer->step_, Compile(trainer->devices_,
                                 TraceStep(trainer->task_, trainer->layout_, trainer->batch_,
                                           trainer->devices_.mesh(), trainer->options_),
                                 options.dot));
  return trainer;
}

Status Trainer::Initialize(uint64_t seed, const checkpoint::TensorMap& given) {
  HR_TRY(jit::Program init, Compile(devices_, TraceInit(task_, layout_)));
  // The key of a seed, as in JAX: its high and its low half.
  const HostTensor key =
      HostTensor::Of<uint32_t>({2}, {static_cast<uint32_t>(seed >> 32), static_cast<uint32_t>(seed)});
  HR_TRY(jit::Array placed, devices_.Put(key));
  HR_TRY(state_, init.Run({&placed}));
  for (const auto& [name, value] : given) HR_TRY(Give(name, value));
  steps_ = 0;
  return Ok();
}

// Puts a value in place of a variable's, and of its average's.
Status Trainer::Give(const std::string& name, const HostTensor& value) {
  const auto spec = std::ranges::find(task_.variables, name, &nn::VariableSpec::name);
  if (spec == task_.variables.end()) {
    std::vector<std::string> names;
    for (const nn::VariableSpec& variable : task_.variables) names.push_back(variable.name);
    const auto nearest = config::Nearest(name, names);
    return InvalidArgument("the model has no '{}' to initialize{}", name,
                           nearest ? fmt::format("; did you mean {}?", *nearest) : "");
  }
  const TensorType& wanted = spec->type;
  const bool converts = IsFloat(value.dtype()) && IsFloat(wanted.dtype);
  if (value.shape() != wanted.shape || (value.dtype() != wanted.dtype && !converts)) {
    return InvalidArgument("'{}' is {} in the model; what it is to be initialized from is {}", name,
                           wanted.ToString(), value.type().ToString());
  }
  const HostTensor converted = value.ConvertTo(wanted.dtype);
  const auto at = static_cast<size_t>(spec - task_.variables.begin());
  for (const size_t leaf : std::set{at, layout_.evaluated[at]}) {
    HR_TRY(state_[leaf], devices_.Put(converted, layout_.leaves[leaf].sharding));
  }
  return Ok();
}

Status Trainer::Restore(const checkpoint::Contents& contents) {
  std::vector<jit::Array> state;
  for (const Leaf& leaf : layout_.leaves) {
    const checkpoint::TensorMap& tensors = leaf.model ? contents.model : contents.state;
    const std::string& name = leaf.stored_name();
    const auto found = tensors.find(name);
    if (found == tensors.end())
      return InvalidArgument("the checkpoint has no '{}', which this run needs", name);
    if (found->second.type() != leaf.type) {
      return InvalidArgument("'{}' is {} in the checkpoint; this run needs {}", name,
                             found->second.type().ToString(), leaf.type.ToString());
    }
    HR_TRY(jit::Array array, devices_.Put(found->second, leaf.sharding));
    state.push_back(std::move(array));
  }
  state_ = std::move(state);
  steps_ = static_cast<int64_t>(contents.state.at(kStepLeaf).At(0));
  return Ok();
}

Result<std::vector<jit::Array>> Trainer::Place(const std::vector<NamedType>& fields,
                                               const data::Batch& batch) const {
  std::vector<jit::Array> placed;
  for (const NamedType& field : fields) {
    const HostTensor* tensor = batch.Find(field.name);
    if (tensor == nullptr) return InvalidArgument("batch {} has no field '{}'", batch.index, field.name);
    HR_TRY(jit::Array array, devices_.Put(*tensor, BatchSharding(tensor->shape(), devices_.mesh())));
    placed.push_back(std::move(array));
  }
  return placed;
}

Result<PendingStep> Trainer::Step(const data::Batch& batch) {
  HR_CHECK(!state_.empty());
  HR_TRY(std::vector<jit::Array> placed, Place(batch_, batch));
  std::vector<const jit::Array*> arguments;
  AddPointers(state_, arguments);
  AddPointers(placed, arguments);
  HR_TRY(std::vector<jit::Array> results, step_->Run(arguments));
  PendingStep pending;
  HR_TRY(pending.finite_, results.back().FetchAsync());
  results.pop_back();
  HR_TRY(pending.metrics_, results.back().FetchAsync());
  results.pop_back();
  pending.trained_ = &trained_;
  pending.scales_loss_ = options_.ScalesLoss();
  state_ = std::move(results);
  ++steps_;
  return pending;
}

Result<Evaluation> Trainer::Evaluate(const data::EvalBatches& batches) {
  HR_CHECK(!state_.empty());
  if (!eval_) {
    eval_batch_ = batches.fields();
    HR_TRY(CheckBatch(eval_batch_, devices_.mesh(), 1));
    HR_TRY(eval_, Compile(devices_, TraceEval(task_, layout_, eval_batch_, devices_.mesh(), options_.compute),
                          options_.dot));
  }
  std::vector<const jit::Array*> variables;
  for (const size_t leaf : layout_.evaluated) variables.push_back(&state_[leaf]);
  Evaluation total;
  total.means.resize(task_.EvaluatedNames().size());
  for (int64_t k = 0; k < batches.count(); ++k) {
    HR_TRY(data::Batch batch, batches(k));
    HR_TRY(std::vector<jit::Array> placed, Place(eval_batch_, batch));
    std::vector<const jit::Array*> arguments = variables;
    AddPointers(placed, arguments);
    HR_TRY(std::vector<jit::Array> results, eval_->Run(arguments));
    HR_TRY(HostTensor sums, results.at(0).ToHost());
    total.weight += sums.At(0);
    for (size_t i = 0; i < total.means.size(); ++i) total.means[i] += sums.At(static_cast<int64_t>(i) + 1);
  }
  for (double& mean : total.means) mean /= total.weight;
  return total;
}

Result<checkpoint::Contents> Trainer::ToHost() const {
  HR_CHECK(!state_.empty());
  std::vector<jit::Array::Fetch> fetches;
  for (const jit::Array& array : state_) {
    HR_TRY(jit::Array::Fetch fetch, array.FetchAsync());
    fetches.push_back(std::move(fetch));
  }
  checkpoint::Contents contents;
  for (size_t i = 0; i < fetches.size(); ++i) {
    HR_TRY(HostTensor tensor, std::move(fetches[i]).Wait());
    const Leaf& leaf = layout_.leaves[i];
    (leaf.model ? contents.model : contents.state).emplace(leaf.stored_name(), std::move(tensor));
  }
  return contents;
}

}  // namespace headrace::train
