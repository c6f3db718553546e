// CheckpointStore: the checkpoints of a run: saves, finds, removes them.
//
// A checkpoint is a folder step-000600/{model/, state/, manifest.json}. Its files are written first, into a
// folder that this save alone has claimed, and never change; creating the manifest, on condition that there
// is none, commits it. What has no valid manifest does not exist for anyone, so a kill at any moment leaves
// the old checkpoints and, whole or not at all, the new one. The same holds on files and on object stores.
// Safe to use from any thread; the store outlives it.
//
//   CheckpointStore checkpoints(*store, "checkpoints");
//   HR_TRY(Saved saved, checkpoints.Save(snapshot));
//   HR_TRY(Restored restored, checkpoints.ReadLatest());     // on resumption; warns of damaged ones
//   HR_TRY(Pruned pruned, checkpoints.Prune(/*keep=*/3));
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "headrace/checkpoint/checkpoint.h"
#include "headrace/checkpoint/snapshot.h"
#include "headrace/checkpoint/writer_claim.h"
#include "headrace/io/store.h"

namespace headrace::checkpoint {

// Seconds since 1970 by the system's clock.
double Now();

struct Folder;
class FolderClaims;

struct StoreOptions {
  int64_t max_file_bytes = 5'000'000'000;  // of tensors in a file; a tensor of the model is never split
  WriterClaim writer = WriterClaim::Here();
  std::function<double()> now = Now;
};

// Warnings are sentences for the person who runs this: what was damaged, passed over or could not be removed.
struct Listing {
  std::vector<Checkpoint> checkpoints;  // by step; one a step
  std::vector<std::string> warnings;
};

struct Restored {
  std::optional<Checkpoint> checkpoint;  // nothing where there is none
  Contents contents;
  std::vector<std::string> warnings;
};

struct Saved {
  Checkpoint checkpoint;
  std::vector<std::string> warnings;
};

struct Pruned {
  std::vector<std::string> removed;  // names of folders
  std::vector<std::string> warnings;
};

class CheckpointStore {
 public:
  // `prefix` is the folder of the checkpoints in the store, not empty.
  CheckpointStore(io::Store& store, std::string prefix, StoreOptions options = {});
  ~CheckpointStore();

  // The committed checkpoints whose files are all there in their sizes; warns of the others.
  Result<Listing> List();

  // The newest of List, to look at; what goes on from a checkpoint calls ReadLatest.
  Result<std::optional<Checkpoint>> Latest();

  // kNotFound, naming the steps that are there.
  Result<Checkpoint> Open(int64_t step);

  // The contents of the newest checkpoint that is whole, all hashes checked; warns of newer ones that are
  // damaged. kDataLoss if there are checkpoints and all are damaged: nothing begins anew unasked.
  Result<Restored> ReadLatest();

  // Writes and commits a checkpoint. kAlreadyExists if that step has a whole one (a damaged one is replaced),
  // kAborted if another living writer saves the step. On any error the earlier checkpoints are untouched.
  Result<Saved> Save(const Snapshot& snapshot);

  // Keeps the newest `keep` (at least 1) checkpoints, everything newer than the oldest of them, and that of
  // the step `pinned`; removes what is older, and the leftovers of dead writers. The newest that is kept has
  // been verified, by rehashing it unless this object wrote it.
  Result<Pruned> Prune(int64_t keep, std::optional<int64_t> pinned = {});

 private:
  std::string Key(std::string_view folder) const;
  // Opens a folder that has a manifest. kDataLoss unless its files are there in their sizes.
  Result<Checkpoint> OpenComplete(const Folder& folder);
  // kDataLoss unless every hash is right, as far as this is not known already.
  Status CheckHashes(const Folder& folder, const Checkpoint& checkpoint);

  Result<Saved> TrySave(const Snapshot& snapshot);
  Status MakeWay(int64_t step, std::vector<std::string>& warnings);
  Status Commit(const std::string& folder, const Manifest& manifest);
  void Abandon(const std::string& folder);
  Result<std::optional<int64_t>> OldestToKeep(const std::vector<Folder>& folders, int64_t keep,
                                              std::vector<std::string>& warnings);

  io::Store& store_;
  const std::string prefix_;
  const StoreOptions options_;
  const std::unique_ptr<FolderClaims> claims_;

  std::mutex mutex_;
  std::set<std::string> verified_;  // names of folders whose hashes are known to be right
};

}  // namespace headrace::checkpoint
