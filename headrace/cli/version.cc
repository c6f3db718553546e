#include "headrace/cli/command.h"
#include "headrace/cli/device_arguments.h"
#include "headrace/run/report_json.h"

namespace headrace::cli {
namespace {

class Version : public Command {
  void Declare(Arguments& arguments) override {
    device_.Declare(arguments, /*with_count=*/false);
    arguments.Flag("--json", json_, "Print one JSON object");
  }

  Status Run(const Context& context) override {
    const run::VersionReport report = run::ReportVersion(device_.Get(context));
    Terminal& terminal = context.terminal;
    if (json_) {
      terminal.Out("{}\n", run::ToJson(report));
      return Ok();
    }
    terminal.Out("headrace {}\nbuilt by {}\n", report.version, report.compiler);
    if (report.plugin_error.empty()) {
      terminal.Out("plugin {}, PJRT API {}\n", report.plugin, report.api);
    } else {
      terminal.Out("no plugin: {}\n", report.plugin_error);
    }
    return Ok();
  }

  DeviceArguments device_;
  bool json_ = false;
};

}  // namespace

CommandInfo VersionCommand() {
  return {.name = "version",
          .summary = "Print what this program is, and its plugin",
          .examples = {"headrace version", "headrace version --json"},
          .make = Make<Version>};
}

}  // namespace headrace::cli
