// summary.json: the report of a run, kept in its folder.
#pragma once

#include <optional>
#include <string>

#include "headrace/run/run_directory.h"
#include "headrace/run/training.h"

namespace headrace::run {

std::string ToJson(const TrainingReport& report);
std::string ToJson(const DryRunReport& report);

Status WriteSummary(const ExistingRun& run, const TrainingReport& report);

// Nothing where there is none yet; kDataLoss for one that cannot be read.
Result<std::optional<TrainingReport>> ReadSummary(const ExistingRun& run);

}  // namespace headrace::run
