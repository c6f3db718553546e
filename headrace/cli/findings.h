// Findings on the terminal: what `doctor` and `diagnose` end in.
#pragma once

#include <span>

#include "headrace/cli/terminal.h"
#include "headrace/run/doctor.h"

namespace headrace::cli {

// One line a finding, with what to do below it; or one JSON object. kFailedPrecondition if any is a problem.
Status PrintFindings(std::span<const run::Finding> findings, bool json, Terminal& terminal);

}  // namespace headrace::cli
