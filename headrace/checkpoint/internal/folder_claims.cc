#include "headrace/checkpoint/internal/folder_claims.h"

#include <fmt/format.h>

namespace headrace::checkpoint {
namespace {

constexpr int64_t kMostAttempts = 100;

}  // namespace

FolderClaims::FolderClaims(io::Store& store, std::string prefix, WriterClaim me, std::function<double()> now)
    : store_(store), prefix_(std::move(prefix)), me_(std::move(me)), now_(std::move(now)) {}

Result<std::string> FolderClaims::Claim(int64_t step) {
  WriterClaim claim = me_;
  claim.time = now_();
  for (int64_t attempt = 1; attempt <= kMostAttempts; ++attempt) {
    std::string folder = FolderName(step, attempt);
    std::string key = Key(folder, kClaimFile);
    {
      std::lock_guard lock(mutex_);
      // Before the claim is visible: from then on it must not look abandoned.
      if (!held_.insert(folder).second)
        return Error(Code::kAborted, "it is being saved by this process already");
    }
    Status status = store_.Write(key, io::AsBytes(ToText(claim)), io::WriteIf::kAbsent);
    if (status.ok()) return folder;
    Release(folder);
    if (status.code() != Code::kAlreadyExists) return status;

    auto text = store_.ReadText(key);
    if (text.status().code() == Code::kNotFound) continue;  // it is just being removed
    HR_TRY(text.status());
    auto other = ParseClaim(*text, key);
    if (other.ok() && Judge(folder, *other) == Liveness::kAlive) {
      return Error(Code::kAborted,
                   "process {} on {} is saving it, too: one run may have only one process that saves",
                   other->process, other->host);
    }
  }
  return Error(Code::kAborted, "{} and {} more folders of this step are left by other writers: remove them",
               FolderName(step, 1), kMostAttempts - 1);
}

void FolderClaims::Release(const std::string& folder) {
  std::lock_guard lock(mutex_);
  held_.erase(folder);
}

Result<bool> FolderClaims::RemoveIfAbandoned(const Folder& folder) {
  if (Judge(folder) != Liveness::kDead) return false;
  // It may have written and committed after the folder was listed and before it ended; now it no longer can.
  HR_TRY(Folder now, ListFolder(store_, prefix_, folder.name));
  if (now.HasManifest() || now.files.empty()) return false;
  HR_TRY(Remove(now));
  return true;
}

Liveness FolderClaims::Judge(const Folder& folder) {
  // What has no claim was not made by a save, and nobody knows whose it is.
  if (!folder.files.contains(kClaimFile)) return Liveness::kUnknown;
  auto text = store_.ReadText(Key(folder.name, kClaimFile));
  if (!text.ok()) return Liveness::kUnknown;
  auto writer = ParseClaim(*text, folder.name);
  return writer.ok() ? Judge(folder.name, *writer) : Liveness::kUnknown;
}

Liveness FolderClaims::Judge(const std::string& folder, const WriterClaim& writer) {
  if (writer.instance != me_.instance) return checkpoint::Judge(writer, me_, now_());
  std::lock_guard lock(mutex_);
  return held_.contains(folder) ? Liveness::kAlive : Liveness::kDead;
}

Status FolderClaims::Remove(const Folder& folder) {
  if (folder.HasManifest()) HR_TRY(store_.Delete(Key(folder.name, kManifestFile)));
  for (const auto& [file, size] : folder.files) {
    if (file != kManifestFile && file != kClaimFile) HR_TRY(store_.Delete(Key(folder.name, file)));
  }
  return store_.Delete(Key(folder.name, kClaimFile));
}

std::string FolderClaims::Key(std::string_view folder, std::string_view file) const {
  return fmt::format("{}/{}/{}", prefix_, folder, file);
}

}  // namespace headrace::checkpoint
