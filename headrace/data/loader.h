// Loader: threads that make batches ahead of whoever consumes them.
//
// Batches come in order, from any first one, and since each is a pure function of its index the number of
// threads changes nothing but time. No more than `prefetch` batches are made ahead. An error comes in the
// place of the batch that failed and ends the sequence. Destroying the Loader stops the threads without
// finishing their batches. Next() is for one thread; the rest is safe from any.
//
//   Loader loader(batches, {.first = state.step, .workers = 2});
//   HR_TRY(std::optional<Batch> batch, loader.Next());
//   const double stalled = loader.stall_seconds();   // how long the device would have waited for data
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "headrace/data/batch.h"

namespace headrace::data {

struct LoaderOptions {
  int64_t first = 0;           // index of the first batch
  std::optional<int64_t> end;  // one past the last; none: no end
  int workers = 1;             // threads
  int prefetch = 4;            // batches made and not yet taken, at most
};

class Loader {
 public:
  // REQUIRES: workers >= 1, prefetch >= 1; `make` may be called from several threads at once
  Loader(MakeBatch make, LoaderOptions options);
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  // The next batch, once it is made; nothing after the last one. After an error, that error again.
  Result<std::optional<Batch>> Next();

  // Time that Next() has spent waiting, in seconds.
  double stall_seconds() const;

 private:
  void Work(std::stop_token stop);

  const MakeBatch make_;
  const LoaderOptions options_;

  mutable std::mutex mutex_;
  std::condition_variable_any claimable_;            // a worker may find a batch to make
  std::condition_variable_any made_;                 // Next() may find its batch
  int64_t next_claim_;                               // the first batch that no worker has taken up
  int64_t next_take_;                                // the batch that Next() gives out next
  std::vector<std::optional<Result<Batch>>> slots_;  // batch k, when made, is in slot k % prefetch
  double stall_seconds_ = 0;

  std::vector<std::jthread> workers_;  // last, so that the threads end before what they use
};

}  // namespace headrace::data
