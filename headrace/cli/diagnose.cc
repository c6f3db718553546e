#include "headrace/cli/command.h"
#include "headrace/cli/findings.h"
#include "headrace/run/diagnosis.h"

namespace headrace::cli {
namespace {

class Diagnose : public Command {
  void Declare(Arguments& arguments) override {
    arguments.Positional("RUN_DIR", path_, "The folder of a run, finished or not");
    arguments.Flag("--json", json_, "Print one JSON object");
  }

  Status Run(const Context& context) override {
    HR_TRY(const std::vector<run::Finding> findings, run::Diagnose(path_));
    return PrintFindings(findings, json_, context.terminal);
  }

  std::string path_;
  bool json_ = false;
};

}  // namespace

CommandInfo DiagnoseCommand() {
  return {.name = "diagnose",
          .summary = "Say how a run is doing, or what went wrong with it, with numbers",
          .details = "Reads the run's folder only. Ends with 1 if something is found that ruins the run.",
          .examples = {"headrace diagnose runs/mnist"},
          .make = Make<Diagnose>};
}

}  // namespace headrace::cli
