// ShowHlo: what `headrace hlo show` does: the program of a run's training step, as text.
#pragma once

#include <string>

#include "headrace/run/session.h"

namespace headrace::run {

// StableHLO as it is handed to the compiler; or, `optimized`, HLO as the compiler leaves it.
Result<std::string> ShowHlo(const RunConfig& config, const DeviceOptions& device, bool optimized);

}  // namespace headrace::run
