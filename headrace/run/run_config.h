// RunConfig: everything that a RUN.yaml says. Each section is the config of the module that does the work;
// what only a run has stands here.
//
//   RunConfig config;
//   HR_TRY(config::Load(text, "mnist.yaml", {"train.steps=100"}, config));
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "headrace/core/config.h"
#include "headrace/data/pipeline.h"
#include "headrace/graph/mesh.h"
#include "headrace/graph/ops/remat.h"
#include "headrace/models/models.h"
#include "headrace/optim/average.h"
#include "headrace/optim/optimizers.h"
#include "headrace/optim/schedule.h"
#include "headrace/run/metric_goal.h"

namespace headrace::run {

// How long, and in what portions.
struct TrainConfig {
  std::optional<int64_t> steps{};  // one of these two
  std::optional<double> epochs{};
  int64_t global_batch_size = 0;
  int64_t gradient_accumulation_steps = 1;
  int64_t log_every = 10;
  int64_t eval_every = 0;
  int64_t max_bad_steps = 10;
  std::string remat = "none";
  std::optional<EarlyStoppingConfig> early_stopping{};

  void Fields(config::Visitor& v);
  Status Validate() const;

  RematPolicy Remat() const;

  // Steps in all, for a training set of so many examples.
  int64_t TotalSteps(int64_t examples) const;
};

// Element types. Parameters are kept and updated in `params`; layers compute in `compute`; what a model gives
// is `output`, and so are losses.
struct PrecisionConfig {
  std::string compute = "f32";
  std::string params = "f32";
  std::string output = "f32";
  std::string dot = "default";
  double loss_scale = 32768;  // where compute is f16
  int64_t loss_scale_growth_interval = 2000;

  void Fields(config::Visitor& v);
  Status Validate() const;
};

// Sizes of the mesh axes; -1 is all that the others leave.
struct MeshConfig {
  std::optional<int64_t> data{};  // by default all that is left
  int64_t fsdp = 1;

  void Fields(config::Visitor& v);
  Status Validate() const;

  // For so many visible devices. kInvalidArgument if they are too few, or do not divide.
  Result<Mesh> Resolve(int64_t devices) const;
};

struct CheckpointConfig {
  int64_t every = 100;
  int64_t keep = 3;
  std::optional<MetricGoal> best{};  // the checkpoint of the best evaluation is kept too

  void Fields(config::Visitor& v);
};

struct RunConfig {
  std::string name{};
  int64_t seed = 0;
  models::ModelConfig model{};
  data::DataConfig data{};
  TrainConfig train{};
  optim::OptimizerConfig optimizer{};
  optim::ScheduleConfig schedule{};
  optim::AverageConfig average{};
  std::vector<std::string> trainable{};  // patterns of names; empty: every parameter
  std::optional<std::string> init_from{};
  std::vector<std::string> init_except{};  // patterns of names
  PrecisionConfig precision{};
  MeshConfig mesh{};
  CheckpointConfig checkpoint{};

  void Fields(config::Visitor& v);
  Status Validate() const;
};

// Reads the file; kInvalidArgument if there is none.
Result<RunConfig> LoadRunConfig(const std::string& path, std::span<const std::string> overrides);

// The JSON Schema of RUN.yaml.
std::string RunConfigSchema();

}  // namespace headrace::run
