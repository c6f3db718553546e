// AsyncSaver: saves checkpoints in the background while training goes on.
//
// The training loop copies its state to the host, hands over the Snapshot and goes on; hashing, writing and
// pruning happen on another thread. At most one save is in flight: the next one waits for it. To be used from
// one thread; the CheckpointStore outlives it.
//
//   AsyncSaver saver(checkpoints, /*keep=*/3);
//   HR_TRY(saver.Start(std::move(snapshot)));       // an error is that of the save before
//   for (const SaveReport& report : saver.TakeReports()) Note(report.name, report.seconds);
//   HR_TRY(saver.Wait());                           // at the end of the run
#pragma once

#include <future>
#include <optional>
#include <string>
#include <vector>

#include "headrace/checkpoint/checkpoint_store.h"

namespace headrace::checkpoint {

// A save that succeeded.
struct SaveReport {
  int64_t step = 0;
  std::string name;           // "runs/mnist/checkpoints/step-000600"
  std::string params_sha256;  // of its model
  int64_t bytes = 0;
  double seconds = 0;  // until it was durable
  std::vector<std::string> warnings;
};

class AsyncSaver {
 public:
  // After each save prunes to `keep` checkpoints.
  AsyncSaver(CheckpointStore& checkpoints, int64_t keep) : checkpoints_(checkpoints), keep_(keep) {}
  // Waits for the save in flight.
  ~AsyncSaver();
  AsyncSaver(const AsyncSaver&) = delete;
  AsyncSaver& operator=(const AsyncSaver&) = delete;

  // Begins to save once the save in flight has ended. Returns how that one ended; this one is begun in any
  // case. The checkpoint of the step `pinned` outlives the pruning after this save.
  Status Start(Snapshot snapshot, std::optional<int64_t> pinned = {});

  // Waits for the save in flight, and returns how it ended; OK where there is none.
  Status Wait();

  // True while a save runs: Start and Wait would wait.
  bool Busy() const;

  // Of the saves that have ended well since the last call.
  std::vector<SaveReport> TakeReports();

 private:
  Result<SaveReport> SaveAndPrune(const Snapshot& snapshot, std::optional<int64_t> pinned);
  void Finish();

  CheckpointStore& checkpoints_;
  const int64_t keep_;
  std::future<Result<SaveReport>> running_;
  Status failure_;  // of a save that has ended, not returned yet
  std::vector<SaveReport> reports_;
};

}  // namespace headrace::checkpoint
