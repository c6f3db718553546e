#include "headrace/run/hlo_show.h"

#include "headrace/cli/command.h"
#include "headrace/cli/device_arguments.h"

namespace headrace::cli {
namespace {

class HloShow : public Command {
  void Declare(Arguments& arguments) override {
    arguments.Positional("RUN.yaml", config_, "The run whose training step is shown");
    arguments.Positional("key=value", overrides_, "Settings over those of the file");
    device_.Declare(arguments);
    arguments.Flag("--optimized", optimized_, "Show it as the compiler leaves it, in HLO");
  }

  Status Run(const Context& context) override {
    HR_TRY(const run::RunConfig config, run::LoadRunConfig(config_, overrides_));
    HR_TRY(const std::string text, run::ShowHlo(config, device_.Get(context), optimized_));
    context.terminal.Out("{}", text);
    return Ok();
  }

  std::string config_;
  std::vector<std::string> overrides_;
  DeviceArguments device_;
  bool optimized_ = false;
};

}  // namespace

CommandInfo HloShowCommand() {
  return {
      .name = "hlo show",
      .summary = "Print the program of a run's training step, in StableHLO or as compiled",
      .details = "",
      .examples = {"headrace hlo show mnist.yaml", "headrace hlo show mnist.yaml --devices 4 --optimized"},
      .make = Make<HloShow>};
}

}  // namespace headrace::cli
