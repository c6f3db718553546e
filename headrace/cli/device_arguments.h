// The options --device and --devices, which every command that runs something has.
#pragma once

#include "headrace/cli/command.h"
#include "headrace/run/device_options.h"

namespace headrace::cli {

class DeviceArguments {
 public:
  // With or without --devices.
  void Declare(Arguments& arguments, bool with_count = true) {
    arguments.Option("--device", "cpu|cuda|tpu|PATH.so", device_,
                     "What to run on, or a PJRT plugin (default cpu)");
    if (with_count) arguments.Option("--devices", "N", devices_, "How many devices are visible", 1);
  }

  run::DeviceOptions Get(const Context& context) const {
    return {.device = device_, .devices = devices_, .plugin_folders = context.environment.plugin_folders};
  }

 private:
  std::string device_ = "cpu";
  std::optional<int64_t> devices_;
};

}  // namespace headrace::cli
