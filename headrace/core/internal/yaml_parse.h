// ParseYaml: the only face that the YAML library shows to the rest of the config code.
#pragma once

#include <string_view>

#include "headrace/core/internal/yaml_tree.h"

namespace headrace::config::internal {

// The one document in `text`; no document at all is null. Refuses what a config has no use for: several
// documents, tags, keys that are not names, duplicate keys, nesting beyond 50, and aliases that grow it
// beyond 100,000 parts.
Result<YamlNode> ParseYaml(std::string_view text, std::string_view source);

}  // namespace headrace::config::internal
