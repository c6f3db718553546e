#include "headrace/cli/command.h"
#include "headrace/run/checkpoint_report.h"
#include "headrace/run/report_json.h"

namespace headrace::cli {
namespace {

class CheckpointList : public Command {
  void Declare(Arguments& arguments) override {
    arguments.Positional("RUN_DIR", folder_, "The folder of a run");
    arguments.Flag("--json", json_, "Print one JSON object");
  }

  Status Run(const Context& context) override {
    HR_TRY(const run::CheckpointReport report, run::ListCheckpoints(folder_));
    Terminal& terminal = context.terminal;
    if (json_) {
      terminal.Out("{}\n", run::ToJson(report));
      return Ok();
    }
    for (const std::string& warning : report.warnings) terminal.Err("warning: {}\n", warning);
    if (report.checkpoints.empty()) terminal.Err("{} has no checkpoints yet\n", folder_);
    for (const run::CheckpointReport::Line& line : report.checkpoints) {
      terminal.Out("{}  {}  {:.1f} MiB\n", line.name, line.created,
                   static_cast<double>(line.bytes) / (1 << 20));
    }
    return Ok();
  }

  std::string folder_;
  bool json_ = false;
};

}  // namespace

CommandInfo CheckpointListCommand() {
  return {.name = "checkpoint list",
          .summary = "List the checkpoints of a run",
          .examples = {"headrace checkpoint list runs/mnist"},
          .make = Make<CheckpointList>};
}

}  // namespace headrace::cli
