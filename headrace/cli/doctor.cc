#include "headrace/cli/command.h"
#include "headrace/cli/device_arguments.h"
#include "headrace/cli/findings.h"

namespace headrace::cli {
namespace {

class Doctor : public Command {
  void Declare(Arguments& arguments) override {
    device_.Declare(arguments);
    arguments.Flag("--json", json_, "Print one JSON object");
  }

  Status Run(const Context& context) override {
    const std::vector<run::Finding> findings = run::Examine({.device = device_.Get(context)});
    return PrintFindings(findings, json_, context.terminal);
  }

  DeviceArguments device_;
  bool json_ = false;
};

}  // namespace

CommandInfo DoctorCommand() {
  return {.name = "doctor",
          .summary = "Check what a run on this machine needs, and say what to do about it",
          .details = "Ends with 1 if something is found that a run would fail at.",
          .examples = {"headrace doctor", "headrace doctor --device tpu"},
          .make = Make<Doctor>};
}

}  // namespace headrace::cli
