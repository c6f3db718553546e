// What `headrace devices` and `headrace version` tell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headrace/run/device_options.h"

namespace headrace::run {

struct DeviceReport {
  struct Line {
    int id = 0;
    std::string kind;
    std::string description;
    std::optional<int64_t> memory_bytes;  // in all; not every plugin says
  };
  std::string platform;  // "cpu"
  std::string plugin;    // its path
  std::string api;       // "0.115"
  std::vector<Line> devices;
};
Result<DeviceReport> ReportDevices(const DeviceOptions& options);

struct VersionReport {
  std::string version;       // of Headrace
  std::string compiler;      // that built it
  std::string plugin;        // path of the plugin; empty if there is none
  std::string api;           // the PJRT API that it offers
  std::string plugin_error;  // why there is none
};
// Never fails: a missing plugin is part of the report.
VersionReport ReportVersion(const DeviceOptions& options);

}  // namespace headrace::run
