// Finding and removing checkpoints; saving is in checkpoint_store_save.cc.
#include "headrace/checkpoint/checkpoint_store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <ranges>

#include "headrace/checkpoint/internal/folder_claims.h"

namespace headrace::checkpoint {
namespace {

// True for the errors of a damaged or foreign checkpoint; others (no access, no network) say nothing about
// it.
bool IsDamage(const Status& status) {
  return status.code() == Code::kDataLoss || status.code() == Code::kUnimplemented ||
         status.code() == Code::kOutOfRange;
}

}  // namespace

double Now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

CheckpointStore::CheckpointStore(io::Store& store, std::string prefix, StoreOptions options)
    : store_(store),
      prefix_(std::move(prefix)),
      options_(std::move(options)),
      claims_(std::make_unique<FolderClaims>(store, prefix_, options_.writer, options_.now)) {}

CheckpointStore::~CheckpointStore() = default;

std::string CheckpointStore::Key(std::string_view folder) const {
  return fmt::format("{}/{}", prefix_, folder);
}

Result<Listing> CheckpointStore::List() {
  HR_TRY(std::vector<Folder> folders, ListFolders(store_, prefix_));
  Listing listing;
  for (const Folder& folder : folders) {
    if (!folder.HasManifest()) continue;
    Result<Checkpoint> checkpoint = OpenComplete(folder);
    if (checkpoint.status().code() == Code::kNotFound) continue;  // removed a moment ago
    if (IsDamage(checkpoint.status())) {
      listing.warnings.push_back(checkpoint.status().message());
      continue;
    }
    HR_TRY(checkpoint.status());
    if (!listing.checkpoints.empty() && listing.checkpoints.back().step() == folder.step) {
      listing.warnings.push_back(
          fmt::format("{} holds step {} a second time: it is not used", checkpoint->Name(), folder.step));
      continue;
    }
    listing.checkpoints.push_back(*std::move(checkpoint));
  }
  return listing;
}

Result<std::optional<Checkpoint>> CheckpointStore::Latest() {
  HR_TRY(Listing listing, List());
  if (listing.checkpoints.empty()) return std::optional<Checkpoint>();
  return std::optional(std::move(listing.checkpoints.back()));
}

Result<Checkpoint> CheckpointStore::Open(int64_t step) {
  HR_TRY(Listing listing, List());
  std::vector<int64_t> steps;
  for (const Checkpoint& checkpoint : listing.checkpoints) {
    if (checkpoint.step() == step) return checkpoint;
    steps.push_back(checkpoint.step());
  }
  std::string there =
      steps.empty() ? "it has none" : fmt::format("it has those of {}", fmt::join(steps, ", "));
  return Error(Code::kNotFound, "{}/{} has no checkpoint of step {}: {}", store_.Name(), prefix_, step,
               there);
}

Result<Restored> CheckpointStore::ReadLatest() {
  HR_TRY(Listing listing, List());
  Restored restored{.warnings = std::move(listing.warnings)};
  for (Checkpoint& checkpoint : std::views::reverse(listing.checkpoints)) {
    Result<Contents> contents = checkpoint.ReadAll();
    if (contents.ok()) {
      restored.contents = *std::move(contents);
      restored.checkpoint = std::move(checkpoint);
      return restored;
    }
    if (!IsDamage(contents.status())) return contents.status();
    restored.warnings.push_back(contents.status().message());
  }
  if (restored.warnings.empty()) return restored;
  return Error(Code::kDataLoss,
               "no checkpoint in {0}/{1} is whole: {2}. Put back a copy, or remove {0}/{1} to begin anew",
               store_.Name(), prefix_, fmt::join(restored.warnings, "; "));
}

Result<Checkpoint> CheckpointStore::OpenComplete(const Folder& folder) {
  HR_TRY(Checkpoint checkpoint, Checkpoint::Open(store_, Key(folder.name)));
  if (checkpoint.step() != folder.step) {
    return Error(Code::kDataLoss, "{} is named after another step than its manifest says, {}",
                 checkpoint.Name(), checkpoint.step());
  }
  std::vector<Damage> damages = checkpoint.CompareSizes(folder.files);
  if (!damages.empty()) {
    // A listing takes time: it may have come by a file before it was written, and by the manifest after that.
    HR_TRY(Folder now, ListFolder(store_, prefix_, folder.name));
    if (!now.HasManifest()) return Error(Code::kNotFound, "{} was removed", checkpoint.Name());
    damages = checkpoint.CompareSizes(now.files);
  }
  if (!damages.empty()) return Error(Code::kDataLoss, "{}", damages.front().text);
  return checkpoint;
}

Status CheckpointStore::CheckHashes(const Folder& folder, const Checkpoint& checkpoint) {
  {
    std::lock_guard lock(mutex_);
    if (verified_.contains(folder.name)) return Ok();
  }
  HR_TRY(std::vector<Damage> damages, checkpoint.Verify());
  if (!damages.empty()) return Error(Code::kDataLoss, "{}", damages.front().text);
  std::lock_guard lock(mutex_);
  verified_.insert(folder.name);
  return Ok();
}

Result<std::optional<int64_t>> CheckpointStore::OldestToKeep(const std::vector<Folder>& folders, int64_t keep,
                                                             std::vector<std::string>& warnings) {
  std::set<int64_t> kept;
  for (const Folder& folder : std::views::reverse(folders)) {
    if (!folder.HasManifest() || kept.contains(folder.step)) continue;
    Result<Checkpoint> checkpoint = OpenComplete(folder);
    Status status = checkpoint.status();
    if (status.code() == Code::kNotFound) continue;  // removed a moment ago
    if (status.ok() && kept.empty()) status = CheckHashes(folder, *checkpoint);
    if (IsDamage(status)) {
      warnings.push_back(status.message());
      continue;
    }
    HR_TRY(status);
    kept.insert(folder.step);
    if (static_cast<int64_t>(kept.size()) == keep) return std::optional(folder.step);
  }
  return std::optional<int64_t>();
}

Result<Pruned> CheckpointStore::Prune(int64_t keep, std::optional<int64_t> pinned) {
  if (keep < 1) return InvalidArgument("keep = {}: at least 1 checkpoint must be kept", keep);
  HR_TRY(std::vector<Folder> folders, ListFolders(store_, prefix_));
  Pruned pruned;
  HR_TRY(std::optional<int64_t> oldest, OldestToKeep(folders, keep, pruned.warnings));
  for (const Folder& folder : folders) {
    Result<bool> removed = true;
    if (!folder.HasManifest()) {
      removed = claims_->RemoveIfAbandoned(folder);
    } else if (!oldest || folder.step >= *oldest || folder.step == pinned) {
      continue;
    } else if (Status status = claims_->Remove(folder); !status.ok()) {
      removed = status;
    }
    if (!removed.ok()) {
      pruned.warnings.push_back(
          fmt::format("{} was not removed: {}", Key(folder.name), removed.status().message()));
    } else if (*removed) {
      pruned.removed.push_back(folder.name);
    }
    std::lock_guard lock(mutex_);
    verified_.erase(folder.name);
  }
  return pruned;
}

}  // namespace headrace::checkpoint
