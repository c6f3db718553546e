// Jit: a function on Values that is traced and compiled once for each signature and then only run.
//
// The cache lives in memory and in the Jit. Safe to use from one thread at a time.
//
//   Jit square(devices, "square", [](std::span<const Value> x) { return Values{x[0] * x[0]}; });
//   HR_TRY(std::vector<Array> y, square({&x}));        // compiles
//   HR_TRY(std::vector<Array> z, square({&x}));        // runs
#pragma once

#include <map>
#include <string>
#include <vector>

#include "headrace/jit/program.h"

namespace headrace::jit {

class Jit {
 public:
  // `donated` are the arguments that give up their memory: argument donated[i] to result i.
  Jit(Devices devices, std::string name, ValueFn body, std::vector<int> donated = {})
      : devices_(std::move(devices)),
        name_(std::move(name)),
        body_(std::move(body)),
        donated_(std::move(donated)) {}

  // Results are whole on every device. Errors are those of tracing, compiling and Program::Run.
  Result<std::vector<Array>> operator()(std::span<const Array* const> arguments);
  Result<std::vector<Array>> operator()(std::initializer_list<const Array*> arguments) {
    return (*this)(std::span(arguments.begin(), arguments.size()));
  }

  // How many signatures have been compiled.
  size_t compiled() const { return programs_.size(); }

 private:
  Devices devices_;
  std::string name_;
  ValueFn body_;
  std::vector<int> donated_;
  std::map<std::string, Program> programs_;  // by signature
};

}  // namespace headrace::jit
