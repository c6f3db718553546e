#include "headrace/run/judge.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace headrace::run {
namespace {

constexpr std::string_view kStopping = "evaluations.early_stopping";
constexpr std::string_view kKeeping = "evaluations.best";
constexpr std::string_view kLastStep = "evaluations.last_step";

double ValueOf(const BestTracker& tracker, std::span<const NamedMean> means) {
  const auto found = std::ranges::find(means, tracker.goal().metric, &NamedMean::name);
  HR_CHECK(found != means.end());
  return found->value;
}

}  // namespace

Judge::Judge(const RunConfig& config) {
  if (const auto& stopping = config.train.early_stopping) {
    stopping_.emplace(*stopping, stopping->min_delta);
    patience_ = stopping->patience;
  }
  if (config.checkpoint.best) keeping_.emplace(*config.checkpoint.best);
}

Status Judge::CheckMetrics(std::span<const std::string> names) const {
  auto check = [&](const std::optional<BestTracker>& tracker, std::string_view key) -> Status {
    if (!tracker) return Ok();
    if (names.empty()) {
      return InvalidArgument("{}: there is nothing to evaluate: the data holds no examples out", key);
    }
    if (std::ranges::find(names, tracker->goal().metric) != names.end()) return Ok();
    return InvalidArgument("{}.metric: evaluations give no \"{}\", only {}", key, tracker->goal().metric,
                           fmt::join(names, ", "));
  };
  HR_TRY(check(stopping_, "train.early_stopping"));
  return check(keeping_, "checkpoint.best");
}

void Judge::Observe(int64_t step, std::span<const NamedMean> means) {
  if (stopping_) stopping_->Observe(step, ValueOf(*stopping_, means));
  if (keeping_) keeping_->Observe(step, ValueOf(*keeping_, means));
  last_step_ = step;
}

bool Judge::IsEnough() const { return stopping_ && stopping_->evaluations_since_best() >= patience_; }

std::optional<int64_t> Judge::BestCheckpoint() const {
  if (!keeping_ || keeping_->best_step() == 0) return std::nullopt;
  return keeping_->best_step();
}

std::optional<BestEvaluation> Judge::Best() const {
  const std::optional<BestTracker>& tracker = keeping_ ? keeping_ : stopping_;
  if (!tracker || tracker->best_step() == 0) return std::nullopt;
  return BestEvaluation{tracker->goal().metric, tracker->best(), tracker->best_step()};
}

void Judge::SaveTo(checkpoint::TensorMap& state) const {
  if (stopping_) state.emplace(kStopping, stopping_->State());
  if (keeping_) state.emplace(kKeeping, keeping_->State());
  if (IsWatching()) state.emplace(kLastStep, HostTensor::Scalar<int64_t>(last_step_));
}

void Judge::RestoreFrom(const checkpoint::TensorMap& state) {
  auto restore = [&](std::string_view name, std::optional<BestTracker>& tracker) {
    if (const auto found = state.find(name); tracker && found != state.end()) tracker->Restore(found->second);
  };
  restore(kStopping, stopping_);
  restore(kKeeping, keeping_);
  if (const auto found = state.find(kLastStep); found != state.end()) {
    last_step_ = static_cast<int64_t>(found->second.At(0));
  }
}

Result<std::optional<int64_t>> Judge::BestStepIn(const checkpoint::Checkpoint& checkpoint) {
  const Result<HostTensor> state = checkpoint.Read(fmt::format("state/{}", kKeeping));
  if (state.status().code() == Code::kNotFound) return std::optional<int64_t>();
  HR_TRY(state.status());
  BestTracker tracker{MetricGoal()};
  tracker.Restore(*state);
  return tracker.best_step() == 0 ? std::nullopt : std::optional(tracker.best_step());
}

}  // namespace headrace::run
