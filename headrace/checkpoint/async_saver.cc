#include "headrace/checkpoint/async_saver.h"

#include <chrono>
#include <new>
#include <utility>

namespace headrace::checkpoint {

AsyncSaver::~AsyncSaver() { (void)Wait().ok(); }

Status AsyncSaver::Start(Snapshot snapshot, std::optional<int64_t> pinned) {
  Status before = Wait();
  running_ =
      std::async(std::launch::async, [this, snapshot = std::move(snapshot), pinned]() -> Result<SaveReport> {
        try {
          return SaveAndPrune(snapshot, pinned);
        } catch (const std::bad_alloc&) {
          return Error(Code::kResourceExhausted, "out of memory while saving step {}", snapshot.step);
        }
      });
  return before;
}

Status AsyncSaver::Wait() {
  if (running_.valid()) Finish();
  return std::exchange(failure_, Ok());
}

bool AsyncSaver::Busy() const {
  return running_.valid() && running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

std::vector<SaveReport> AsyncSaver::TakeReports() {
  if (running_.valid() && !Busy()) Finish();
  return std::exchange(reports_, {});
}

void AsyncSaver::Finish() {
  Result<SaveReport> report = running_.get();
  if (report.ok()) {
    reports_.push_back(*std::move(report));
  } else {
    failure_ = report.status();
  }
}

Result<SaveReport> AsyncSaver::SaveAndPrune(const Snapshot& snapshot, std::optional<int64_t> pinned) {
  auto begin = std::chrono::steady_clock::now();
  HR_TRY(Saved saved, checkpoints_.Save(snapshot));
  SaveReport report{
      .step = snapshot.step,
      .name = saved.checkpoint.Name(),
      .params_sha256 = saved.checkpoint.manifest().params_sha256,
      .bytes = saved.checkpoint.manifest().TotalBytes(),
      .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
      .warnings = std::move(saved.warnings)};
  // The checkpoint is safe: if old ones cannot be removed, that is a warning.
  Result<Pruned> pruned = checkpoints_.Prune(keep_, pinned);
  if (!pruned.ok()) {
    report.warnings.push_back("old checkpoints were not removed: " + pruned.status().message());
  } else {
    for (std::string& warning : pruned->warnings) report.warnings.push_back(std::move(warning));
  }
  return report;
}

}  // namespace headrace::checkpoint
