// Substitution<T>: what stands for each value of a graph while a transform rewrites it. Internal to `graph`.
#pragma once

#include <string>
#include <vector>

#include "headrace/graph/graph.h"

namespace headrace {

template <class T>
class Substitution {
 public:
  void Set(Value of, T value) { Slot(of) = std::move(value); }
  // What was set, or T{}.
  T& Get(Value of) { return Slot(of); }

 private:
  T& Slot(Value of) {
    const auto id = static_cast<size_t>(of.node().id);
    if (id >= slots_.size()) slots_.resize(id + 1);
    auto& results = slots_[id];
    // A node may gain results while it is walked (Graph::Extend).
    if (results.size() < of.node().types.size()) results.resize(of.node().types.size());
    return results[static_cast<size_t>(of.result())];
  }

  std::vector<std::vector<T>> slots_;  // by node id, then by result
};

// "a" + "b" -> "a/b", leaving out empty parts, and `outer` where `inner` is below it already.
inline std::string JoinScope(const std::string& outer, const std::string& inner) {
  if (outer.empty() || inner == outer || inner.starts_with(outer + "/")) return inner;
  return inner.empty() ? outer : outer + "/" + inner;
}

}  // namespace headrace
