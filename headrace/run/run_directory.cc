#include "headrace/run/run_directory.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "headrace/io/hash.h"

namespace headrace::run {
namespace {

// Keys that say nothing about what was computed. Where data lie is free: what they are is known by Sha256().
constexpr std::array<std::string_view, 18> kFree = {"name",
                                                    "train.log_every",
                                                    "train.eval_every",
                                                    "train.max_bad_steps",
                                                    "train.remat",
                                                    "train.early_stopping.patience",
                                                    "checkpoint.every",
                                                    "checkpoint.keep",
                                                    "data.workers",
                                                    "data.prefetch",
                                                    "data.source.path",
                                                    "data.source.images",
                                                    "data.source.masks",
                                                    "data.source.features",
                                                    "data.source.labels",
                                                    "mesh.data",
                                                    "model.scan_layers",
                                                    "mesh.fsdp"};

// Nothing that was done so far depends on how many steps there will be.
bool StepsAreFree(const RunConfig& config) { return !optim::CountsOnLength(config.schedule); }

bool IsFree(const config::Difference& difference, const RunConfig& before, const RunConfig& after) {
  if (std::ranges::find(kFree, difference.key) != kFree.end()) return true;
  const bool length = difference.key == "train.steps" || difference.key == "train.epochs";
  return length && StepsAreFree(before) && StepsAreFree(after);
}

std::string Describe(const config::Difference& difference) {
  return fmt::format("{}: {} -> {}", difference.key, difference.before.empty() ? "(none)" : difference.before,
                     difference.after.empty() ? "(none)" : difference.after);
}

Result<ExistingRun> OpenFolder(const std::string& path) {
  ExistingRun run{.path = path, .config = {}, .store = nullptr, .checkpoints = nullptr};
  HR_TRY(run.store, io::OpenStore(path));
  run.checkpoints =
      std::make_shared<checkpoint::CheckpointStore>(*run.store, std::string(kCheckpointsFolder));
  return run;
}

Status ReadConfig(ExistingRun& run) {
  HR_TRY(const std::string text, run.store->ReadText(kConfigFile));
  return config::Load(text, fmt::format("{}/{}", run.path, kConfigFile), {}, run.config);
}

// What lies in a folder beside its lock, a few names of it; empty for none.
std::vector<std::string> SomeEntries(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    if (entry.path().filename() != kLockFile) names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  if (names.size() > 3) names.resize(3);
  return names;
}

}  // namespace

Result<ExistingRun> OpenRun(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return InvalidArgument("there is no run at {}", path);
  if (!std::filesystem::is_directory(path, error)) {
    return InvalidArgument("{} is a file; name the folder of a run, such as runs/mnist", path);
  }
  HR_TRY(ExistingRun run, OpenFolder(path));
  const Status read = ReadConfig(run);
  if (read.code() == Code::kNotFound) {
    return InvalidArgument("{} is not the folder of a run: it has no {}", path, kConfigFile);
  }
  HR_TRY(read);
  return run;
}

Result<std::vector<std::string>> AllowedChanges(const RunConfig& before, const RunConfig& after) {
  std::vector<std::string> allowed, refused;
  for (const config::Difference& difference : config::Compare(before, after)) {
    (IsFree(difference, before, after) ? allowed : refused).push_back(Describe(difference));
  }
  if (refused.empty()) return allowed;
  return Error(Code::kFailedPrecondition,
               "the config differs from the one that the run was begun with, in what its past depends on:\n  "
               "{}\nGo on with the old settings, or begin a new run with another --out. (Free to change: {}; "
               "and train.steps under a schedule that does not count on it.)",
               fmt::join(refused, "\n  "), fmt::join(kFree, ", "));
}

Result<ExistingRun> ClaimRun(const std::string& path, const RunConfig& config) {
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_directory(path, error)) {
    return InvalidArgument("{} is a file; --out takes a folder: a new or empty one, or that of a run", path);
  }
  HR_TRY(ExistingRun run, OpenFolder(path));
  const Status read = ReadConfig(run);
  if (read.ok()) {
    HR_TRY(AllowedChanges(run.config, config).Context("{}", path));
  } else if (read.code() != Code::kNotFound) {
    return read;
  } else if (const auto entries = SomeEntries(path); !entries.empty()) {
    return InvalidArgument(
        "{} holds something that is no run ({}, ...); name an empty or new folder with --out", path,
        fmt::join(entries, ", "));
  }
  run.config = config;
  return run;
}

Result<std::unique_ptr<io::FileLock>> LockRun(const std::string& path) {
  HR_TRY(const ExistingRun run, OpenFolder(path));
  const std::optional<std::string> file = run.store->LocalPath(kLockFile);
  if (!file) return Error(Code::kUnimplemented, "{} is no folder of a file system, so it has no locks", path);
  auto lock = io::FileLock::Take(*file);
  if (lock.status().code() != Code::kUnavailable) return lock;
  return Error(Code::kFailedPrecondition,
               "{} is being trained already: {}. Wait until that has ended, stop it (kill -TERM lets it save "
               "first), or name another folder with --out",
               path, lock.status().message());
}

Status WriteConfig(const ExistingRun& run) {
  return run.store->Write(kConfigFile, io::AsBytes(config::DumpYaml(run.config)));
}

std::string ConfigSha256(const RunConfig& config) {
  return io::Sha256Hex(io::AsBytes(config::DumpYaml(config)));
}

}  // namespace headrace::run
