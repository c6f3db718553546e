// What --checkpoint means, for every command that works on a checkpoint of a run.
#pragma once

#include <string_view>

namespace headrace::cli {

inline constexpr std::string_view kCheckpointDoc =
    "best, last, or the step of a checkpoint (default: best where the run has checkpoint.best, else last)";

}  // namespace headrace::cli
