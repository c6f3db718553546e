#include "headrace/cli/command.h"
#include "headrace/cli/device_arguments.h"
#include "headrace/run/evaluation.h"

namespace headrace::cli {
namespace {

class Eval : public Command {
  void Declare(Arguments& arguments) override {
    arguments.Positional("RUN_DIR", path_, "The folder of a run");
    device_.Declare(arguments);
    arguments.Flag("--json", json_, "Print one JSON object");
  }

  Status Run(const Context& context) override {
    HR_TRY(const run::EvaluationReport report, run::EvaluateRun(path_, device_.Get(context)));
    Terminal& terminal = context.terminal;
    if (json_) {
      terminal.Out("{}\n", run::ToJson(report));
      return Ok();
    }
    terminal.Out("{} on {} examples held out\n", report.checkpoint, report.held_out.examples);
    for (const run::NamedMean& mean : report.held_out.means) {
      terminal.Out("  {:<10} {:.4f}\n", mean.name, mean.value);
    }
    return Ok();
  }

  std::string path_;
  DeviceArguments device_;
  bool json_ = false;
};

}  // namespace

CommandInfo EvalCommand() {
  return {.name = "eval",
          .summary = "Measure a run's last checkpoint on the examples held out",
          .details = "",
          .examples = {"headrace eval runs/mnist", "headrace eval runs/mnist --json"},
          .make = Make<Eval>};
}

}  // namespace headrace::cli
