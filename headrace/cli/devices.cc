#include "headrace/cli/command.h"
#include "headrace/cli/device_arguments.h"
#include "headrace/run/report_json.h"

namespace headrace::cli {
namespace {

class Devices : public Command {
  void Declare(Arguments& arguments) override {
    device_.Declare(arguments);
    arguments.Flag("--json", json_, "Print one JSON object");
  }

  Status Run(const Context& context) override {
    HR_TRY(const run::DeviceReport report, run::ReportDevices(device_.Get(context)));
    Terminal& terminal = context.terminal;
    if (json_) {
      terminal.Out("{}\n", run::ToJson(report));
      return Ok();
    }
    terminal.Out("{}  {}\n", terminal.Bold(report.platform),
                 terminal.Dim(fmt::format("{}, PJRT API {}", report.plugin, report.api)));
    for (const run::DeviceReport::Line& device : report.devices) {
      terminal.Out("  {:>3}  {}", device.id, device.kind);
      if (device.memory_bytes)
        terminal.Out("  {:.1f} GiB", static_cast<double>(*device.memory_bytes) / (1 << 30));
      terminal.Out("\n");
    }
    return Ok();
  }

  DeviceArguments device_;
  bool json_ = false;
};

}  // namespace

CommandInfo DevicesCommand() {
  return {.name = "devices",
          .summary = "List the devices that a run can use",
          .details =
              "A device is what one PJRT plugin offers. A CPU counts as one device, all cores of it, unless\n"
              "--devices splits it.",
          .examples = {"headrace devices", "headrace devices --devices 4",
                       "headrace devices --device tpu --json"},
          .make = Make<Devices>};
}

}  // namespace headrace::cli
