#include <algorithm>

#include "headrace/cli/command.h"
#include "headrace/cli/device_arguments.h"
#include "headrace/run/report_json.h"

namespace headrace::cli {
namespace {

using run::Finding;

class Doctor : public Command {
  void Declare(Arguments& arguments) override {
    device_.Declare(arguments);
    arguments.Flag("--json", json_, "Print one JSON object");
  }

  Status Run(const Context& context) override {
    const std::vector<Finding> findings = run::Examine({.device = device_.Get(context)});
    if (json_) {
      context.terminal.Out("{}\n", run::ToJson(findings));
    } else {
      for (const Finding& finding : findings) Print(finding, context.terminal);
    }
    const auto problems = std::ranges::count(findings, Finding::Level::kProblem, &Finding::level);
    if (problems == 0) return Ok();
    return Error(Code::kFailedPrecondition, "{} of {} checks found a problem", problems, findings.size());
  }

  static void Print(const Finding& finding, Terminal& terminal) {
    terminal.Out("{} {:<8} {}\n", Mark(finding.level, terminal), finding.name, finding.text);
    if (!finding.advice.empty()) terminal.Out("{:>17} {}\n", "->", finding.advice);
  }

  static std::string Mark(Finding::Level level, const Terminal& terminal) {
    switch (level) {
      case Finding::Level::kOk:
        return terminal.Green("ok     ");
      case Finding::Level::kNote:
        return terminal.Yellow("note   ");
      case Finding::Level::kProblem:
        break;
    }
    return terminal.Red("problem");
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
