#include "headrace/data/loader.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "headrace/core/check.h"

namespace headrace::data {

Loader::Loader(MakeBatch make, LoaderOptions options)
    : make_(std::move(make)),
      options_(options),
      next_claim_(options.first),
      next_take_(options.first),
      slots_(options.prefetch) {
  HR_CHECK(options.workers >= 1 && options.prefetch >= 1);
  for (int i = 0; i < options.workers; ++i) {
    workers_.emplace_back([this](std::stop_token stop) { Work(stop); });
  }
}

Loader::~Loader() {
  for (std::jthread& worker : workers_) worker.request_stop();
}

Result<std::optional<Batch>> Loader::Next() {
  std::unique_lock lock(mutex_);
  if (options_.end && next_take_ >= *options_.end) return std::optional<Batch>();
  std::optional<Result<Batch>>& slot = slots_[next_take_ % options_.prefetch];
  if (!slot) {
    const auto start = std::chrono::steady_clock::now();
    made_.wait(lock, [&] { return slot.has_value(); });
    stall_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  if (!slot->ok()) return slot->status();
  Result<Batch> batch = *std::exchange(slot, std::nullopt);
  ++next_take_;
  claimable_.notify_one();
  return std::optional<Batch>(*std::move(batch));
}

double Loader::stall_seconds() const {
  std::lock_guard lock(mutex_);
  return stall_seconds_;
}

void Loader::Work(std::stop_token stop) {
  const int64_t end = options_.end.value_or(std::numeric_limits<int64_t>::max());
  const auto claimable = [&] { return next_claim_ < std::min(end, next_take_ + options_.prefetch); };
  std::unique_lock lock(mutex_);
  while (claimable_.wait(lock, stop, claimable) && !stop.stop_requested()) {
    const int64_t index = next_claim_++;
    lock.unlock();
    Result<Batch> batch = make_(index, stop);
    lock.lock();
    slots_[index % options_.prefetch] = std::move(batch);
    made_.notify_one();
  }
}

}  // namespace headrace::data
