#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <string_view>

#include "headrace/cli/command.h"
#include "headrace/cli/device_arguments.h"
#include "headrace/cli/process_time.h"
#include "headrace/cli/signals.h"
#include "headrace/run/summary.h"
#include "headrace/run/training.h"

namespace headrace::cli {
namespace {

int TerminalWidth() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// "8.21 GFLOPs"
std::string FlopsText(double flops) {
  constexpr std::array<std::string_view, 5> kUnits = {"FLOPs", "kFLOPs", "MFLOPs", "GFLOPs", "TFLOPs"};
  size_t unit = 0;
  for (; flops >= 1000 && unit + 1 < kUnits.size(); ++unit) flops /= 1000;
  return fmt::format("{:.{}f} {}", flops, unit == 0 ? 0 : 2, kUnits[unit]);
}

class Train : public Command {
  void Declare(Arguments& arguments) override {
    arguments.Positional("RUN.yaml", config_, "What to train, on what and how");
    arguments.Positional("key=value", overrides_, "Settings over those of the file: train.steps=100");
    device_.Declare(arguments);
    arguments.Option("--out", "DIR", out_, "Where the run is kept (default runs/NAME)");
    arguments.Option("--resume", "auto|never|PATH", resume_,
                     "Go on with the run in DIR; refuse to; or begin from the state of another run");
    arguments.Flag("--dry-run", dry_run_, "Say what the run would be, and stop");
    arguments.Flag("--json", json_, "Print the report as JSON");
  }

  Status Run(const Context& context) override {
    run::TrainingOptions options{
        .config = {}, .out = out_, .device = device_.Get(context), .resume = resume_};
    HR_TRY(options.config, run::LoadRunConfig(config_, overrides_));
    if (dry_run_) return Describe(context, options);

    WatchSignals();
    Terminal& terminal = context.terminal;
    const bool redraw = isatty(STDERR_FILENO);
    telemetry::Progress progress([&](std::string_view text) { terminal.Err("{}", text); },
                                 {.is_terminal = redraw, .width = TerminalWidth()});
    const Logger logger([&](const LogRecord& record) {
      const std::string prefix =
          record.level >= LogLevel::kWarning ? fmt::format("{}: ", Name(record.level)) : "";
      progress.Note(prefix + record.ToString());
    });
    auto report = run::RunTraining(options, {.logger = logger,
                                             .progress = &progress,
                                             .should_stop = [] { return CaughtSignal() != 0; },
                                             .process_seconds = ProcessSeconds});
    progress.Finish();
    if (CaughtSignal() != 0 && report.status().code() == Code::kCancelled) {  // no report; see main.cc
      terminal.Err("{}\n", report.status().message());
      return Ok();
    }
    HR_TRY(report.status());
    if (json_) {
      terminal.Out("{}\n", run::ToJson(*report));
    } else {
      Print(terminal, *report);
    }
    return Ok();
  }

  static void Print(Terminal& terminal, const run::TrainingReport& report) {
    if (report.was_finished) {
      terminal.Out("{} is finished: {} steps. Nothing is left to do.\n", report.path, report.steps);
    } else if (report.stop_reason == "stopped") {
      terminal.Out("stopped after step {}; the same command goes on from there\n", report.steps);
    } else {
      const bool early = report.stop_reason == "early_stopped";
      terminal.Out("{}\n", terminal.Bold(fmt::format("trained {} steps{}", report.steps,
                                                     early ? ", and stopped early: it got no better" : "")));
    }
    for (const run::NamedMean& mean : report.eval) {
      const std::string value = mean.name == "accuracy" ? fmt::format("{:.2f} %", 100 * mean.value)
                                                        : fmt::format("{:.4f}", mean.value);
      terminal.Out("  {:<15} {}  on {} examples held out\n", mean.name, value, report.eval_examples);
    }
    if (report.best) {
      terminal.Out("  {:<15} {} {:.4f}  after step {}\n", "best", report.best->metric, report.best->value,
                   report.best->step);
    }
    if (!report.skipped.empty()) {
      terminal.Out("  {:<15} {} that could not be read; summary.json names them\n", "skipped",
                   report.skipped.size());
    }
    if (report.steps_per_second > 0) {
      terminal.Out(
          "  {:<15} {:.1f} steps/s, {:.0f} examples/s; median {:.1f} ms a step, {:.1f} % of it waiting for "
          "data\n",
          "speed", report.steps_per_second, report.examples_per_second, report.step_ms_median,
          100 * report.stall_share);
    }
    if (!report.checkpoint.empty()) terminal.Out("  {:<15} {}\n", "checkpoint", report.checkpoint);
    if (report.stop_reason != "stopped") terminal.Out("next: headrace eval {}\n", report.path);
  }

  Status Describe(const Context& context, const run::TrainingOptions& options) {
    HR_TRY(const run::DryRunReport report, run::DryRun(options));
    Terminal& terminal = context.terminal;
    if (json_) {
      terminal.Out("{}\n", run::ToJson(report));
      return Ok();
    }
    size_t width = 4;
    for (const auto& parameter : report.parameters) width = std::max(width, parameter.name.size());
    for (const auto& parameter : report.parameters) {
      terminal.Out("{:<{}}  {:<24}{}\n", parameter.name, width, parameter.type.ToString(),
                   parameter.trained ? "" : "  (not trained)");
    }
    terminal.Out("{} trained parameters; {} steps on {} examples, {} held out; mesh {}\n",
                 report.parameter_count, report.steps, report.train_examples, report.eval_examples,
                 report.mesh);
    if (report.memory) {
      constexpr double kMiB = 1024 * 1024;
      const auto mib = [](int64_t bytes) { return static_cast<double>(bytes) / kMiB; };
      terminal.Out("memory of a step on one device: {:.1f} MiB of arguments, {:.1f} MiB of temporaries\n",
                   mib(report.memory->arguments), mib(report.memory->temporaries));
    }
    terminal.Out("compute: {} forward an example, {} a step (forward, backward, update){}\n",
                 FlopsText(report.forward.total()), FlopsText(report.step.total()),
                 report.step.uncounted.empty()
                     ? ""
                     : fmt::format("; not counted: {}", fmt::join(report.step.uncounted, ", ")));
    return Ok();
  }

  std::string config_;
  std::vector<std::string> overrides_;
  DeviceArguments device_;
  std::string out_;
  std::string resume_ = "auto";
  bool dry_run_ = false;
  bool json_ = false;
};

}  // namespace

CommandInfo TrainCommand() {
  return {
      .name = "train",
      .summary = "Train a model, or go on training it",
      .details =
          "Running the same command again goes on where the run stopped, whatever stopped it, and ends with\n"
          "the same parameters as a run that was never stopped. Ctrl-C saves a checkpoint first.",
      .examples = {"headrace train mnist.yaml", "headrace train mnist.yaml train.steps=200 --out runs/short",
                   "headrace train mnist.yaml --devices 4 --dry-run"},
      .make = Make<Train>};
}

}  // namespace headrace::cli
