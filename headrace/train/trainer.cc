#include "headrace/train/trainer.h"

#include <algorithm>

#include "headrace/train/sharding_rules.h"

namespace headrace::train {
namespace {

Result<jit::Program> Compile(const jit::Devices& devices, Result<PlacedFunction> traced) {
  HR_TRY(PlacedFunction placed, std::move(traced));
  return jit::Program::Compile(devices, placed.function,
                               {.parameter_shardings = std::move(placed.parameters),
                                .result_shardings = std::move(placed.results),
                                .donations = std::move(placed.donations)});
}

std::vector<const jit::Array*> Pointers(std::span<const jit::Array> first,
                                        std::span<const jit::Array> second) {
  std::vector<const jit::Array*> pointers;
  for (const jit::Array& array : first) pointers.push_back(&array);
  for (const jit::Array& array : second) pointers.push_back(&array);
  return pointers;
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
  return result;
}

Trainer::Trainer(jit::Devices devices, Task task, std::vector<NamedType> batch, const StepOptions& options)
    : devices_(std::move(devices)), task_(std::move(task)), batch_(std::move(batch)), options_(options) {
  layout_ = StateLayout::Of(task_, *optim::MakeOptimizer(options_.optimizer), devices_.mesh());
  for (const nn::VariableSpec& spec : task_.variables) {
    if (spec.trained) trained_.push_back(spec.name);
  }
}

Result<std::unique_ptr<Trainer>> Trainer::Create(jit::Devices devices, Task task,
                                                 std::vector<NamedType> batch, const StepOptions& options) {
  HR_TRY(CheckBatch(batch, devices.mesh(), options.microbatches));
  std::unique_ptr<Trainer> trainer(
      new Trainer(std::move(devices), std::move(task), std::move(batch), options));
  HR_TRY(trainer->step_,
         Compile(trainer->devices_, TraceStep(trainer->task_, trainer->layout_, trainer->batch_,
                                              trainer->devices_.mesh(), trainer->options_)));
  return trainer;
}

Status Trainer::Initialize(uint64_t seed) {
  HR_TRY(jit::Program init, Compile(devices_, TraceInit(task_, layout_)));
  // The key of a seed, as in JAX: its high and its low half.
  const HostTensor key =
      HostTensor::Of<uint32_t>({2}, {static_cast<uint32_t>(seed >> 32), static_cast<uint32_t>(seed)});
  HR_TRY(jit::Array placed, devices_.Put(key));
  HR_TRY(state_, init.Run({&placed}));
  steps_ = 0;
  return Ok();
}

Status Trainer::Restore(const checkpoint::Contents& contents) {
  std::vector<jit::Array> state;
  for (const Leaf& leaf : layout_.leaves) {
    const checkpoint::TensorMap& tensors = leaf.model ? contents.model : contents.state;
    const auto found = tensors.find(leaf.name);
    if (found == tensors.end())
      return InvalidArgument("the checkpoint has no '{}', which this run needs", leaf.name);
    if (found->second.type() != leaf.type) {
      return InvalidArgument("'{}' is {} in the checkpoint; this run needs {}", leaf.name,
                             found->second.type().ToString(), leaf.type.ToString());
    }
    HR_TRY(jit::Array array, devices_.Put(found->second, leaf.sharding));
    state.push_back(std::move(array));
  }
  state_ = std::move(state);
  steps_ = static_cast<int64_t>(contents.state.at("step").At(0));
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
  HR_TRY(std::vector<jit::Array> results, step_->Run(Pointers(state_, placed)));
  PendingStep pending;
  HR_TRY(pending.finite_, results.back().FetchAsync());
  results.pop_back();
  HR_TRY(pending.metrics_, results.back().FetchAsync());
  results.pop_back();
  pending.trained_ = &trained_;
  state_ = std::move(results);
  ++steps_;
  return pending;
}

Result<Evaluation> Trainer::Evaluate(const data::EvalBatches& batches) {
  HR_CHECK(!state_.empty());
  if (!eval_) {
    eval_batch_ = batches.fields();
    HR_TRY(CheckBatch(eval_batch_, devices_.mesh(), 1));
    HR_TRY(eval_,
           Compile(devices_, TraceEval(task_, layout_, eval_batch_, devices_.mesh(), options_.compute)));
  }
  const std::span<const jit::Array> variables(state_.data(), task_.variables.size());
  Evaluation total;
  total.means.resize(task_.measure_names.size());
  for (int64_t k = 0; k < batches.count(); ++k) {
    HR_TRY(data::Batch batch, batches(k));
    HR_TRY(std::vector<jit::Array> placed, Place(eval_batch_, batch));
    HR_TRY(std::vector<jit::Array> results, eval_->Run(Pointers(variables, placed)));
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
    (leaf.model ? contents.model : contents.state).emplace(leaf.name, std::move(tensor));
  }
  return contents;
}

}  // namespace headrace::train
