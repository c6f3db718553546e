// The texts of --help.
#pragma once

#include <string>
#include <string_view>

#include "headrace/cli/command.h"

namespace headrace::cli {

// Of the program, or of the commands that begin with `group` ("hlo").
std::string ProgramHelp(std::string_view group, const Terminal& terminal);

std::string CommandHelp(const CommandInfo& info, const Terminal& terminal);

}  // namespace headrace::cli
