// Program: from words on the command line to a command that is run, and to an exit code.
#pragma once

#include <string>
#include <vector>

#include "headrace/cli/command.h"

namespace headrace::cli {

// 0: done. 1: failed. 2: wrong usage or config. The words exclude the program's own name.
int RunProgram(const std::vector<std::string>& words, const Context& context);

}  // namespace headrace::cli
