// RunHlo: runs a StableHLO program on arrays in .npy files. What `headrace hlo run` does.
#pragma once

#include <string>
#include <vector>

#include "headrace/run/device_options.h"
#include "headrace/run/hlo_program.h"

namespace headrace::run {

struct HloRunOptions {
  std::string program;              // path of the program
  std::vector<std::string> inputs;  // .npy files, one a parameter, in order
  std::string output;               // folder for out0.npy, out1.npy, …; made if missing
  DeviceOptions device;
};

struct HloRunReport {
  struct Line {
    std::string path;
    TensorType type;
    std::string note;  // what had to be converted; usually empty
  };
  std::vector<Line> inputs;
  std::vector<Line> outputs;
};

// Nothing is written unless the program has run. Wrong inputs are kInvalidArgument, naming the first with
// both types. npy has no bf16 and no f8: there f32 stands for them, which the report notes.
Result<HloRunReport> RunHlo(const HloRunOptions& options);

}  // namespace headrace::run
