#include "headrace/cli/checkpoint_argument.h"
#include "headrace/cli/command.h"
#include "headrace/cli/device_arguments.h"
#include "headrace/run/evaluation.h"

namespace headrace::cli {
namespace {

class Eval : public Command {
  void Declare(Arguments& arguments) override {
    arguments.Positional("RUN_DIR", path_, "The folder of a run");
    arguments.Option("--checkpoint", "WHICH", checkpoint_, kCheckpointDoc);
    device_.Declare(arguments);
    arguments.Flag("--json", json_, "Print one JSON object");
  }

  Status Run(const Context& context) override {
    HR_TRY(const run::EvaluationReport report, run::EvaluateRun(path_, checkpoint_, device_.Get(context)));
    Terminal& terminal = context.terminal;
    if (json_) {
      terminal.Out("{}\n", run::ToJson(report));
      return Ok();
    }
    terminal.Out("{} on {} examples held out\n", report.checkpoint.ToString(), report.held_out.examples);
    for (const run::NamedMean& mean : report.held_out.means) {
      terminal.Out("  {:<10} {:.4f}\n", mean.name, mean.value);
    }
    return Ok();
  }

  std::string path_, checkpoint_;
  DeviceArguments device_;
  bool json_ = false;
};

}  // namespace

CommandInfo EvalCommand() {
  return {.name = "eval",
          .summary = "Measure a run's model on the examples held out",
          .details = "",
          .examples = {"headrace eval runs/mnist", "headrace eval runs/mnist --checkpoint last --json"},
          .make = Make<Eval>};
}

}  // namespace headrace::cli
