// LiveOps: what a function is made of. For tests only.
#pragma once

#include <string>
#include <vector>

#include "headrace/graph/function.h"

namespace headrace {

// The names of the ops that the results depend on, in order.
inline std::vector<std::string> LiveOps(const Function& function) {
  std::vector<std::string> names;
  for (const Node* node : LiveNodes(function.results)) names.emplace_back(node->op->name());
  return names;
}

}  // namespace headrace
