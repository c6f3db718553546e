// The second half of loading: whether values that have the right types are also right.
#pragma once

#include "headrace/core/config.h"
#include "headrace/core/internal/yaml_tree.h"

namespace headrace::config::internal {

// Checks the limit of every field and calls every Validate(), inner structs first. `root` is the map that the
// values came from and serves to say where.
Status CheckValues(const StructRef& value, const YamlNode& root);

}  // namespace headrace::config::internal
