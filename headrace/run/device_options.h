// DeviceOptions: which plugin a command runs on, and how many of its devices. Every command that touches a
// device takes one and opens it here.
//
//   HR_TRY(std::unique_ptr<runtime::Client> client, OpenClient({.device = "cpu", .devices = 4,
//                                                               .plugin_folders = {".deps/pjrt"}}));
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/runtime/client.h"

namespace headrace::run {

struct DeviceOptions {
  std::string device = "cpu";               // "cpu", "cuda", "tpu", or the path of a plugin
  std::optional<int64_t> devices;           // how many are visible; by default 1 on CPU, all elsewhere
  std::vector<std::string> plugin_folders;  // where plugins are looked for, in order
};

// Finds and loads the plugin. Errors say what was looked for and where.
Result<const runtime::Plugin*> LoadPlugin(const DeviceOptions& options);

// A client of that plugin with that many devices. kInvalidArgument if there are fewer, or fewer than one is
// asked for; kUnimplemented where the platform has no way to show less than all.
Result<std::unique_ptr<runtime::Client>> OpenClient(const DeviceOptions& options);

}  // namespace headrace::run
