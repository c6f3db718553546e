// What `headrace doctor` looks at: everything that a run on this machine needs.
#pragma once

#include <string>
#include <vector>

#include "headrace/run/device_options.h"

namespace headrace::run {

struct Finding {
  enum class Level {
    kOk,
    kNote,     // good to know; nothing fails for it
    kProblem,  // a run would fail
  };
  Level level = Level::kOk;
  std::string name;    // "plugin"
  std::string text;    // what was found
  std::string advice;  // what to do; empty if nothing
};

struct DoctorOptions {
  DeviceOptions device;
  std::string folder = ".";   // where runs are started, and data and YAML lie
  std::string runs = "runs";  // where runs are written, below `folder`
};

// Every check, in the order in which a run would stumble; a failed one never stops the others.
std::vector<Finding> Examine(const DoctorOptions& options);

}  // namespace headrace::run
