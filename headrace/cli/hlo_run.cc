#include "headrace/run/hlo_run.h"

#include "headrace/cli/command.h"
#include "headrace/cli/device_arguments.h"
#include "headrace/run/report_json.h"

namespace headrace::cli {
namespace {

class HloRun : public Command {
  void Declare(Arguments& arguments) override {
    arguments.Positional("PROGRAM", program_, "StableHLO, as text or as MLIR bytecode");
    arguments.Option("--input", "FILE.npy", inputs_,
                     "An input, one for each parameter of the program, in order");
    arguments.RequiredOption("--output", "DIR", output_, "Where out0.npy, out1.npy, ... are written");
    device_.Declare(arguments, /*with_count=*/false);
    arguments.Flag("--json", json_, "Print one JSON object");
  }

  Status Run(const Context& context) override {
    HR_TRY(const run::HloRunReport report,
           run::RunHlo(
               {.program = program_, .inputs = inputs_, .output = output_, .device = device_.Get(context)}));
    if (json_) {
      context.terminal.Out("{}\n", run::ToJson(report));
      return Ok();
    }
    for (const run::HloRunReport::Line& input : report.inputs) {
      if (!input.note.empty()) context.terminal.Err("{}: {}\n", input.path, input.note);
    }
    for (const run::HloRunReport::Line& output : report.outputs) {
      context.terminal.Out("{}  {}{}\n", output.path, output.type.ToString(),
                           output.note.empty() ? "" : fmt::format("  ({})", output.note));
    }
    return Ok();
  }

  std::string program_;
  std::vector<std::string> inputs_;
  std::string output_;
  DeviceArguments device_;
  bool json_ = false;
};

}  // namespace

CommandInfo HloRunCommand() {
  return {.name = "hlo run",
          .summary = "Run a StableHLO program, whoever wrote it, on arrays in .npy files",
          .details =
              "From JAX, for example:\n"
              "  exported = jax.export.export(jax.jit(f))(jax.ShapeDtypeStruct((2, 3), 'float32'))\n"
              "  open('f.mlirbc', 'wb').write(exported.mlir_module_serialized)",
          .examples = {"headrace hlo run f.mlirbc --input x.npy --input w.npy --output results",
                       "headrace hlo run f.mlir --output . --device tpu"},
          .make = Make<HloRun>};
}

}  // namespace headrace::cli
