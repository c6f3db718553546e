// Session: a config with its data opened and its devices ready: what training, evaluation and inspection
// share.
//
//   HR_TRY(std::unique_ptr<Session> session, Session::Open(config, device_options));
//   HR_TRY(std::unique_ptr<train::Trainer> trainer, session->NewTrainer());
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headrace/run/device_options.h"
#include "headrace/run/objective.h"
#include "headrace/train/trainer.h"

namespace headrace::run {

// Means over the examples that are held out.
struct HeldOut {
  std::vector<NamedMean> means;  // empty where none are
  int64_t examples = 0;
};

class Session {
 public:
  // Opens the data, then the devices, and checks that they fit the config. Errors as RunTraining.
  static Result<std::unique_ptr<Session>> Open(const RunConfig& config, const DeviceOptions& device);

  const data::Pipeline& pipeline() const { return *pipeline_; }
  const Mesh& mesh() const { return mesh_; }
  int64_t total_steps() const { return config_.train.TotalSteps(pipeline_->train()->size()); }
  std::string plugin() const;       // "cpu, PJRT API 0.115, pjrt_c_api_cpu_plugin.so"
  std::string device_kind() const;  // of the first device

  // The fields of a training batch.
  std::vector<NamedType> BatchFields() const;
  train::StepOptions StepSettings() const;
  Result<train::Task> MakeTask() const;

  // Compiles the step. The trainer has no state yet.
  Result<std::unique_ptr<train::Trainer>> NewTrainer() const;

  Result<HeldOut> Evaluate(train::Trainer& trainer) const;
  // What it names its means; nothing where no examples are held out.
  std::vector<std::string> EvaluationNames(const train::Trainer& trainer) const;

 private:
  explicit Session(RunConfig config) : config_(std::move(config)) {}

  RunConfig config_;
  std::optional<data::Pipeline> pipeline_;
  std::unique_ptr<runtime::Client> client_;
  Mesh mesh_;
};

}  // namespace headrace::run
