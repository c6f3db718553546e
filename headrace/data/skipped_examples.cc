#include "headrace/data/skipped_examples.h"

namespace headrace::data {

void SkippedExamples::Add(int64_t index, const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (reasons_.try_emplace(index, why).second) met_.push_back(index);
}

int64_t SkippedExamples::count() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(met_.size());
}

std::vector<std::string> SkippedExamples::Reasons() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> reasons;
  for (const auto& [index, why] : reasons_) reasons.push_back(why);
  return reasons;
}

std::vector<std::string> SkippedExamples::Since(int64_t known) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> reasons;
  for (auto i = static_cast<size_t>(known); i < met_.size(); ++i) reasons.push_back(reasons_.at(met_[i]));
  return reasons;
}

}  // namespace headrace::data
