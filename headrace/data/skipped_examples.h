// SkippedExamples: the examples of a dataset that could not be read. They keep their place with weight 0, so
// that one damaged file among a million does not end a run, and nobody has to guess which one it was.
//
// Filled while examples are read; safe to use from any thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace headrace::data {

class SkippedExamples {
 public:
  // Notes example `index` once, however often it is met; `why` names the file and what is wrong with it.
  void Add(int64_t index, const std::string& why);

  int64_t count() const;
  // Why, in the order of the examples.
  std::vector<std::string> Reasons() const;
  // Those that came after the first `known`, in the order in which they were met.
  std::vector<std::string> Since(int64_t known) const;

 private:
  mutable std::mutex mutex_;
  std::map<int64_t, std::string> reasons_;
  std::vector<int64_t> met_;
};

}  // namespace headrace::data
