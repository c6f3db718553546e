// Reports as JSON, for programs that call the program. One object on one line each.
#pragma once

#include <span>
#include <string>

#include "headrace/run/checkpoint_report.h"
#include "headrace/run/device_report.h"
#include "headrace/run/doctor.h"
#include "headrace/run/hlo_run.h"

namespace headrace::run {

std::string ToJson(const DeviceReport& report);
std::string ToJson(const VersionReport& report);
std::string ToJson(const HloRunReport& report);
std::string ToJson(const CheckpointReport& report);
std::string ToJson(std::span<const Finding> findings);

}  // namespace headrace::run
