#include "headrace/cli/command.h"
#include "headrace/run/checkpoint_report.h"
#include "headrace/run/report_json.h"

namespace headrace::cli {
namespace {

class CheckpointVerify : public Command {
  void Declare(Arguments& arguments) override {
    arguments.Positional("RUN_DIR", folder_, "The folder of a run");
    arguments.Flag("--json", json_, "Print one JSON object");
  }

  Status Run(const Context& context) override {
    HR_TRY(const run::CheckpointReport report, run::VerifyCheckpoints(folder_));
    if (json_) {
      context.terminal.Out("{}\n", run::ToJson(report));
    } else {
      Print(report, context.terminal);
    }
    if (report.IsWhole()) return Ok();
    return Error(Code::kDataLoss, "{} holds damaged checkpoints; training goes on from the newest whole one",
                 folder_);
  }

  static void Print(const run::CheckpointReport& report, Terminal& terminal) {
    for (const run::CheckpointReport::Line& line : report.checkpoints) {
      terminal.Out("{}  {}\n", line.damage.empty() ? terminal.Green("ok     ") : terminal.Red("damaged"),
                   line.name);
      for (const std::string& text : line.damage) terminal.Out("         {}\n", text);
    }
    for (const std::string& warning : report.warnings)
      terminal.Out("{}  {}\n", terminal.Red("damaged"), warning);
  }

  std::string folder_;
  bool json_ = false;
};

}  // namespace

CommandInfo CheckpointVerifyCommand() {
  return {.name = "checkpoint verify",
          .summary = "Rehash every file of a run's checkpoints",
          .details = "Ends with 1 if any is damaged.",
          .examples = {"headrace checkpoint verify runs/mnist"},
          .make = Make<CheckpointVerify>};
}

}  // namespace headrace::cli
