// RunTraining: what `headrace train` does, from a config to a finished folder.
//
// A run that was stopped or killed at any moment goes on from its last checkpoint when it is started again in
// the same folder, and ends with the same parameters, to the bit, as one that was never disturbed.
//
//   TrainingOptions options{.config = config, .out = "runs/mnist", .device = device};
//   HR_TRY(TrainingReport report, RunTraining(options, {.logger = logger, .should_stop = asked_to_stop}));
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/core/log.h"
#include "headrace/core/status.h"
#include "headrace/graph/flops.h"
#include "headrace/run/device_options.h"
#include "headrace/run/judge.h"
#include "headrace/run/run_config.h"
#include "headrace/run/session.h"
#include "headrace/telemetry/progress.h"

namespace headrace::run {

struct TrainingOptions {
  RunConfig config;
  std::string out;  // the folder; empty: runs/NAME
  DeviceOptions device;
  std::string resume = "auto";  // "auto", "never", or a run's folder to take the state from
};

// What the caller lends to a run. Nothing here is called from another thread.
struct TrainingHooks {
  Logger logger;
  telemetry::Progress* progress = nullptr;  // null: none is shown
  std::function<bool()> should_stop = [] { return false; };
  std::function<double()> process_seconds = [] { return 0.0; };  // since the process started
};

// What summary.json says.
struct TrainingReport {
  std::string path;           // of the run
  bool was_finished = false;  // nothing was left to do
  int64_t steps = 0;
  std::string stop_reason;  // "done", "early_stopped", or "stopped" when asked to
  double examples_per_second = 0;
  double steps_per_second = 0;
  double step_ms_median = 0;
  double step_ms_p90 = 0;
  double first_step_seconds = 0;  // since the process started
  double train_seconds = 0;       // of this process
  double stall_share = 0;         // of the step time, spent waiting for data
  std::vector<NamedMean> eval;    // empty where nothing is held out
  int64_t eval_examples = 0;
  std::vector<std::string> skipped;    // examples that could not be read in this process, and why
  std::optional<BestEvaluation> best;  // where early stopping or checkpoint.best asked for it
  std::string params_sha256, data_sha256, config_sha256;
  std::string version, plugin, device;
  int64_t devices = 1;
  std::string checkpoint;  // the last one: "runs/mnist/checkpoints/step-001500"
};

// kInvalidArgument for a config that does not fit the data or the devices; kFailedPrecondition for a folder
// that it may not use; kCancelled if it is asked to stop before its first step, the folder then being as it
// was. What was saved before an error stays.
Result<TrainingReport> RunTraining(const TrainingOptions& options, const TrainingHooks& hooks);

// What a run would be, without running it: parameters, memory and compute of a step (`--dry-run`).
struct DryRunReport {
  struct Parameter {
    std::string name;
    TensorType type;
    std::string sharding;
    bool trained = true;
  };
  std::vector<Parameter> parameters;
  int64_t parameter_count = 0;  // trained elements
  int64_t steps = 0;
  int64_t train_examples = 0, eval_examples = 0;
  std::string mesh;                               // "data=4, fsdp=1"
  std::optional<runtime::CompiledMemory> memory;  // of a step on one device
  Flops forward;                                  // of the loss of one example
  Flops step;                                     // of an update on all devices: forward, backward, optimizer
};
Result<DryRunReport> DryRun(const TrainingOptions& options);

}  // namespace headrace::run
