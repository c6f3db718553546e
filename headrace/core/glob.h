// Patterns of names: "*" stands for any characters, also none and also dots, "?" for one.
//
//   glob::Matches("layers.*.bias", "layers.3.bias");                              // true
//   HR_TRY(glob::CheckAll("trainable", {"head.*"}, parameter_names));
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "headrace/core/status.h"

namespace headrace::glob {

bool Matches(std::string_view pattern, std::string_view name);
bool MatchesAny(std::span<const std::string> patterns, std::string_view name);

// kInvalidArgument, under `key`, for the first pattern that none of `names` matches: names the closest one.
Status CheckAll(std::string_view key, std::span<const std::string> patterns,
                std::span<const std::string> names);

}  // namespace headrace::glob
