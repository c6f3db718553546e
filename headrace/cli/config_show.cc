#include "headrace/cli/command.h"
#include "headrace/run/run_config.h"

namespace headrace::cli {
namespace {

class ConfigShow : public Command {
  void Declare(Arguments& arguments) override {
    arguments.Positional("RUN.yaml", path_, "The run");
    arguments.Positional("key=value", overrides_, "Settings that go before those of the file");
  }

  Status Run(const Context& context) override {
    HR_TRY(run::RunConfig config, run::LoadRunConfig(path_, overrides_));
    context.terminal.Out("{}", config::DumpYaml(config));
    return Ok();
  }

  std::string path_;
  std::vector<std::string> overrides_;
};

}  // namespace

CommandInfo ConfigShowCommand() {
  return {.name = "config show",
          .summary = "Check RUN.yaml and print it with every default written out",
          .examples = {"headrace config show mnist.yaml",
                       "headrace config show mnist.yaml train.steps=100 optimizer.learning_rate=1e-3"},
          .make = Make<ConfigShow>};
}

}  // namespace headrace::cli
