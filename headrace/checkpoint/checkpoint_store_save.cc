// Saving: CheckpointStore::Save and what it takes.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>

#include "headrace/checkpoint/checkpoint_store.h"
#include "headrace/checkpoint/internal/folder_claims.h"
#include "headrace/checkpoint/internal/snapshot_writer.h"

namespace headrace::checkpoint {
namespace {

std::string UtcTime(double seconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<time_t>(std::floor(seconds))));
}

// Releases a claim at the end of a scope.
class HeldFolder {
 public:
  HeldFolder(FolderClaims& claims, std::string name) : claims_(claims), name_(std::move(name)) {}
  ~HeldFolder() { claims_.Release(name_); }
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;

  const std::string& name() const { return name_; }

 private:
  FolderClaims& claims_;
  const std::string name_;
};

}  // namespace

Result<Saved> CheckpointStore::Save(const Snapshot& snapshot) {
  HR_TRY(snapshot.Validate());
  return TrySave(snapshot).Context("step {} was not saved in {}/{}, earlier checkpoints are untouched",
                                   snapshot.step, store_.Name(), prefix_);
}

Result<Saved> CheckpointStore::TrySave(const Snapshot& snapshot) {
  std::vector<std::string> warnings;
  HR_TRY(MakeWay(snapshot.step, warnings));
  HR_TRY(std::string name, claims_->Claim(snapshot.step));
  HeldFolder folder(*claims_, std::move(name));

  Result<Manifest> manifest = WriteSnapshot(store_, Key(folder.name()), snapshot, options_.max_file_bytes);
  Status status = manifest.status();
  if (status.ok()) {
    manifest->created = UtcTime(options_.now());
    status = Commit(folder.name(), *manifest);
  }
  if (!status.ok()) {
    Abandon(folder.name());
    return status;
  }
  {
    std::lock_guard lock(mutex_);
    verified_.insert(folder.name());
  }
  return Saved{Checkpoint(store_, Key(folder.name()), *std::move(manifest)), std::move(warnings)};
}

// Removes dead writers' leftovers, and a damaged checkpoint of this step. kAlreadyExists if it has a whole
// one.
Status CheckpointStore::MakeWay(int64_t step, std::vector<std::string>& warnings) {
  HR_TRY(std::vector<Folder> folders, ListFolders(store_, prefix_));
  for (const Folder& folder : folders) {
    if (!folder.HasManifest()) {
      Status status = claims_->RemoveIfAbandoned(folder).status();
      if (!status.ok()) {
        warnings.push_back(fmt::format("what a dead process left in {} was not removed: {}", Key(folder.name),
                                       status.message()));
      }
    } else if (folder.step == step) {
      Result<Checkpoint> there = OpenComplete(folder);
      Status status = there.ok() ? CheckHashes(folder, *there) : there.status();
      if (status.ok()) return Error(Code::kAlreadyExists, "{} holds it already", there->Name());
      if (status.code() == Code::kNotFound) continue;  // removed a moment ago
      if (status.code() != Code::kDataLoss) return status;
      HR_TRY(claims_->Remove(folder));
      warnings.push_back(fmt::format("{}; it was replaced", status.message()));
    }
  }
  return Ok();
}

// Makes the checkpoint exist. Of two writers of one step in two folders the first one to come here wins.
Status CheckpointStore::Commit(const std::string& folder, const Manifest& manifest) {
  std::string key = Key(folder);
  HR_TRY(std::vector<Folder> folders, ListFolders(store_, prefix_, manifest.step));
  Folder mine;
  for (Folder& other : folders) {
    if (other.name == folder) {
      mine = std::move(other);
    } else if (other.HasManifest()) {
      return Error(Code::kAlreadyExists, "{} was committed meanwhile", Key(other.name));
    }
  }
  std::vector<Damage> damages = Checkpoint(store_, key, manifest).CompareSizes(mine.files);
  if (!damages.empty()) {
    return Error(Code::kAborted, "somebody else changed it while it was written: {}", damages.front().text);
  }

  // If this fails the manifest may be there all the same, but nobody knows whether it would survive a power
  // cut.
  std::string manifest_key = fmt::format("{}/{}", key, kManifestFile);
  return store_.Write(manifest_key, io::AsBytes(ToJson(manifest)), io::WriteIf::kAbsent);
}

// Removes what a failed save has written, unless it is, or may be, committed. What cannot be removed now is a
// leftover that the next save removes.
void CheckpointStore::Abandon(const std::string& folder) {
  Result<Folder> now = ListFolder(store_, prefix_, folder);
  if (now.ok() && !now->HasManifest()) (void)claims_->Remove(*now).ok();
}

}  // namespace headrace::checkpoint
