// RunDirectory: the folder that a run lives in, and whether it may go on there.
//
//   config.yaml    the config, every field written
//   metrics.jsonl  one line a logged step
//   summary.json   what came of it, once it has ended
//   checkpoints/   step-000600/{model/, state/, manifest.json}
//   tensorboard/   event files
//   train.lock     while a process trains there: who it is (after a kill it lies there until the next one)
//
// Changes to the config of a run that has begun are refused unless they cannot alter its past: how often it
// logs, evaluates and saves, how many checkpoints it keeps, how the data is read ahead, when it gives up, how
// its work is spread over devices, and, where no schedule counts on it, how many steps it has.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "headrace/checkpoint/checkpoint_store.h"
#include "headrace/core/status.h"
#include "headrace/io/file_lock.h"
#include "headrace/io/store.h"
#include "headrace/run/run_config.h"

namespace headrace::run {

inline constexpr std::string_view kConfigFile = "config.yaml";
inline constexpr std::string_view kSummaryFile = "summary.json";
inline constexpr std::string_view kMetricsFile = "metrics.jsonl";
inline constexpr std::string_view kCheckpointsFolder = "checkpoints";
inline constexpr std::string_view kTensorboardFolder = "tensorboard";
inline constexpr std::string_view kLockFile = "train.lock";

// A run that exists, opened to be read.
struct ExistingRun {
  std::string path;
  RunConfig config;
  std::shared_ptr<io::Store> store;
  std::shared_ptr<checkpoint::CheckpointStore> checkpoints;
};

// kInvalidArgument if `path` is no folder of a run; says what it is instead.
Result<ExistingRun> OpenRun(const std::string& path);

// What `config` changes of a run that was begun as `before`, in words; kFailedPrecondition, with every
// difference, if some of it would alter the past.
Result<std::vector<std::string>> AllowedChanges(const RunConfig& before, const RunConfig& after);

// Opens `path` for a run of this config: a new or empty folder, or that of a run that this config may go on
// with. kFailedPrecondition, saying why, for another run; kInvalidArgument for a file, or a folder that holds
// no run but something else. Nothing is written yet.
Result<ExistingRun> ClaimRun(const std::string& path, const RunConfig& config);

// Makes this process the only one that trains in `path`, until the lock is destroyed; the folder is made, and
// goes again if nothing was written. kFailedPrecondition, naming it, if another process trains there;
// kUnimplemented where there are no locks.
Result<std::unique_ptr<io::FileLock>> LockRun(const std::string& path);

// Writes config.yaml.
Status WriteConfig(const ExistingRun& run);

// SHA-256, in hex, of the config as config.yaml has it.
std::string ConfigSha256(const RunConfig& config);

}  // namespace headrace::run
