// Scalars as configs write them: what reads as a number or a truth value, and how values are written back.
#pragma once

#include <string>
#include <string_view>

#include "headrace/core/config.h"
#include "headrace/core/internal/yaml_tree.h"

namespace headrace::config::internal {

// Each reads one value of its type, or says what was expected and what was there.
Status ReadValue(const YamlNode& node, bool& value);     // true or false
Status ReadValue(const YamlNode& node, int64_t& value);  // 12, and 1e3 as it is whole
Status ReadValue(const YamlNode& node, double& value);   // finite
Status ReadValue(const YamlNode& node, std::string& value);

// The value in YAML, on one line; doubles in the fewest digits that read back the same.
std::string WriteValue(bool value);
std::string WriteValue(int64_t value);
std::string WriteValue(double value);
std::string WriteValue(const std::string& value);
std::string WriteLeaf(LeafRef leaf);

}  // namespace headrace::config::internal
