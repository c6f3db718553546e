// FolderClaims: who may write, and who may remove, a folder of a checkpoint.
//
// A claim is created before anything else of a folder and deleted after everything else, so that a folder has
// one writer from its beginning to its end. Safe to use from any thread.
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "headrace/checkpoint/internal/folders.h"
#include "headrace/checkpoint/writer_claim.h"
#include "headrace/io/store.h"

namespace headrace::checkpoint {

class FolderClaims {
 public:
  FolderClaims(io::Store& store, std::string prefix, WriterClaim me, std::function<double()> now);

  // Claims a folder for `step` and returns its name: the first attempt that nobody has claimed. kAborted if
  // a writer that is alive has claimed one. The claim is held until Release.
  Result<std::string> Claim(int64_t step);
  void Release(const std::string& folder);

  // Removes a folder that had no manifest, if its writer is dead and has not committed it meanwhile. Whether
  // it has.
  Result<bool> RemoveIfAbandoned(const Folder& folder);

  // The manifest first, so that the checkpoint ceases to exist before it falls apart; the claim last.
  Status Remove(const Folder& folder);

 private:
  std::string Key(std::string_view folder, std::string_view file) const;
  // Of the writer of a folder.
  Liveness Judge(const Folder& folder);
  Liveness Judge(const std::string& folder, const WriterClaim& writer);

  io::Store& store_;
  const std::string prefix_;
  const WriterClaim me_;
  const std::function<double()> now_;
  std::mutex mutex_;
  std::set<std::string> held_;
};

}  // namespace headrace::checkpoint
