#include "headrace/run/session.h"

#include <filesystem>

#include "headrace/train/sharding_rules.h"

namespace headrace::run {
namespace {

DType ComputeType(const PrecisionConfig& precision) {
  return ParseDType(precision.compute).value_or(DType::kF32);
}

Precision DotPrecision(const PrecisionConfig& precision) {
  if (precision.dot == "highest") return Precision::kHighest;
  return precision.dot == "high" ? Precision::kHigh : Precision::kDefault;
}

}  // namespace

Result<std::unique_ptr<Session>> Session::Open(const RunConfig& config, const DeviceOptions& device) {
  std::unique_ptr<Session> session(new Session(config));
  HR_TRY(session->pipeline_, data::Pipeline::Open(config.data, static_cast<uint64_t>(config.seed)));
  HR_TRY(ObjectiveOf(config.model).check(config, *session->pipeline_));
  HR_TRY(session->client_, OpenClient(device));
  const auto devices = static_cast<int64_t>(session->client_->addressable_devices().size());
  HR_TRY(session->mesh_, config.mesh.Resolve(devices));
  const int64_t parts = train::BatchParts(session->mesh_) * config.train.gradient_accumulation_steps;
  if (config.train.global_batch_size % parts != 0) {
    return InvalidArgument(
        "train.global_batch_size: {} examples do not divide into {} equal parts (devices: {}, microbatches: "
        "{}); make it a multiple of {}",
        config.train.global_batch_size, parts, train::BatchParts(session->mesh_),
        config.train.gradient_accumulation_steps, parts);
  }
  return session;
}

std::string Session::plugin() const {
  const auto version = client_->plugin().api_version();
  return fmt::format("{}, PJRT API {}.{}, {}", client_->platform_name(), version.major, version.minor,
                     std::filesystem::path(client_->plugin().path()).filename().string());
}

std::string Session::device_kind() const { return client_->addressable_devices()[0]->kind(); }

std::vector<NamedType> Session::BatchFields() const {
  return pipeline_->TrainFields(config_.train.global_batch_size);
}

train::StepOptions Session::StepSettings() const {
  return {.optimizer = config_.optimizer,
          .schedule = config_.schedule,
          .average = config_.average,
          .total_steps = total_steps(),
          .microbatches = config_.train.gradient_accumulation_steps,
          .compute = ComputeType(config_.precision),
          .dot = DotPrecision(config_.precision),
          .loss_scale = {.initial = config_.precision.loss_scale,
                         .growth_interval = config_.precision.loss_scale_growth_interval},
          .remat = config_.train.Remat()};
}

Result<train::Task> Session::MakeTask() const {
  HR_TRY(train::Task task,
         ObjectiveOf(config_.model).make_task(config_.name, config_.model, pipeline_->fields()));
  HR_TRY(train::TrainOnly(config_.trainable, task));
  return task;
}

Result<std::unique_ptr<train::Trainer>> Session::NewTrainer() const {
  HR_TRY(const jit::Devices devices, jit::Devices::Of(*client_, mesh_));
  HR_TRY(train::Task task, MakeTask());
  return train::Trainer::Create(devices, std::move(task), BatchFields(), StepSettings());
}

Result<HeldOut> Session::Evaluate(train::Trainer& trainer) const {
  if (pipeline_->eval()->size() == 0) return HeldOut{};
  HR_TRY(const data::EvalBatches batches, pipeline_->Eval(config_.train.global_batch_size));
  HR_TRY(const train::Evaluation evaluation, trainer.Evaluate(batches));
  const std::vector<std::string> names = trainer.task().EvaluatedNames();
  std::vector<NamedMean> means;
  for (size_t i = 0; i < names.size(); ++i) means.push_back({names[i], evaluation.means[i]});
  return HeldOut{.means = ObjectiveOf(config_.model).report(means), .examples = pipeline_->eval()->size()};
}

std::vector<std::string> Session::EvaluationNames(const train::Trainer& trainer) const {
  if (pipeline_->eval()->size() == 0) return {};
  std::vector<NamedMean> means;
  for (std::string& name : trainer.task().EvaluatedNames()) means.push_back({std::move(name), 1});
  std::vector<std::string> names;
  for (NamedMean& mean : ObjectiveOf(config_.model).report(means)) names.push_back(std::move(mean.name));
  return names;
}

}  // namespace headrace::run
