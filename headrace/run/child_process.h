// RunChild: another program, run to its end.
#pragma once

#include <string>
#include <vector>

#include "headrace/core/status.h"

namespace headrace::run {

struct ChildResult {
  int exit_code = 0;   // 128 + the signal that ended it
  std::string output;  // of both its streams
};

// Runs `command`, its first word being looked up in PATH, with the environment of this process and no input.
// kNotFound if there is no such program.
Result<ChildResult> RunChild(const std::vector<std::string>& command);

}  // namespace headrace::run
