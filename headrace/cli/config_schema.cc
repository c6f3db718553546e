#include "headrace/cli/command.h"
#include "headrace/run/run_config.h"

namespace headrace::cli {
namespace {

class ConfigSchema : public Command {
  void Declare(Arguments&) override {}

  Status Run(const Context& context) override {
    context.terminal.Out("{}", run::RunConfigSchema());
    return Ok();
  }
};

}  // namespace

CommandInfo ConfigSchemaCommand() {
  return {.name = "config schema",
          .summary = "Print the JSON Schema of RUN.yaml, by which editors complete and check it",
          .details =
              "For editors with a YAML language server, put this line first in RUN.yaml:\n"
              "  # yaml-language-server: $schema=run.schema.json",
          .examples = {"headrace config schema > run.schema.json"},
          .make = Make<ConfigSchema>};
}

}  // namespace headrace::cli
