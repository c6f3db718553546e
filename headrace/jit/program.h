// Program: a Function compiled for the devices of a mesh.
//
//   HR_TRY(Function function, TryTrace("square", types, body));
//   HR_TRY(Program program, Program::Compile(devices, function));
//   HR_TRY(std::vector<Array> results, program.Run({&x}));
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "headrace/graph/function.h"
#include "headrace/graph/mesh.h"
#include "headrace/graph/ops/dot.h"
#include "headrace/jit/array.h"

namespace headrace::jit {

struct ProgramOptions {
  // By parameter and by result; empty: all whole on every device.
  std::vector<Sharding> parameter_shardings;
  std::vector<Sharding> result_shardings;
  // By parameter: the result that takes over its memory, or -1. The argument is left deleted.
  std::vector<int> donations;
  Precision default_precision = Precision::kDefault;  // of products and convolutions that ask for none
};

class Program {
 public:
  static Result<Program> Compile(const Devices& devices, const Function& function,
                                 const ProgramOptions& options = {});

  // Starts one execution; returns before the work is done. `arguments` are placed as the program's parameters
  // are; a wrong one is kInvalidArgument, and then nothing has been started or donated.
  Result<std::vector<Array>> Run(std::span<const Array* const> arguments) const;
  Result<std::vector<Array>> Run(std::initializer_list<const Array*> arguments) const {
    return Run(std::span(arguments.begin(), arguments.size()));
  }

  const std::vector<Sharding>& parameter_shardings() const { return parameter_shardings_; }
  // The StableHLO that was compiled.
  const std::string& text() const { return text_; }
  const runtime::Executable& executable() const { return *executable_; }

 private:
  Program() = default;

  Devices devices_;
  std::string text_;
  Types parameters_;
  Types results_;
  std::vector<Sharding> parameter_shardings_;
  std::vector<Sharding> result_shardings_;
  std::shared_ptr<const runtime::Executable> executable_;
};

// Compiles and runs on one device, host to host: for tests and small work.
Result<std::vector<HostTensor>> Evaluate(const runtime::Client& client, const Function& function,
                                         std::span<const HostTensor> arguments);

}  // namespace headrace::jit
