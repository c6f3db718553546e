// A config flattened into its leaves.
#pragma once

#include <string>
#include <vector>

#include "headrace/core/config.h"

namespace headrace::config::internal {

struct Leaf {
  std::string key;   // "train.steps"
  std::string text;  // its value in YAML
};

// Every leaf in the order of the fields: the key that chooses a kind is one, an absent struct is `null`.
std::vector<Leaf> Leaves(const StructRef& value);

// "train.steps" of "train" and "steps"; a name at the root stands alone.
std::string JoinPath(std::string_view parent, std::string_view name);

}  // namespace headrace::config::internal
