#include "headrace/cli/checkpoint_argument.h"
#include "headrace/cli/command.h"
#include "headrace/cli/device_arguments.h"
#include "headrace/cli/signals.h"
#include "headrace/run/generation.h"

namespace headrace::cli {
namespace {

class Generate : public Command {
  void Declare(Arguments& arguments) override {
    arguments.Positional("RUN_DIR", path_, "The folder of a run that trained a language model");
    arguments.Option("--prompt", "TEXT", prompt_, "What the text begins with (default: a line of its own)");
    arguments.Option("--tokens", "N", tokens_, "How many tokens to write (default 1000)", 1);
    arguments.Option("--temperature", "T", temperature_,
                     "Below 1 favours likely tokens; 0 takes the likeliest (default 0.8)");
    arguments.Option("--top-k", "K", top_k_, "Choose among the K likeliest tokens (default: all)", 1);
    arguments.Option("--top-p", "P", top_p_,
                     "Choose among the likeliest tokens that have P of the probability (default 1)");
    arguments.Option("--seed", "S", seed_, "The same seed writes the same text (default 0)", 0);
    arguments.Option("--checkpoint", "WHICH", checkpoint_, kCheckpointDoc);
    device_.Declare(arguments, /*with_count=*/false);
    arguments.Flag("--json", json_, "Print one JSON object when done");
  }

  Status Run(const Context& context) override {
    run::GenerationOptions options{.path = path_, .device = device_.Get(context)};
    if (!prompt_.empty()) options.prompt = prompt_;
    options.tokens = tokens_.value_or(options.tokens);
    options.sampling = {.temperature = temperature_.value_or(options.sampling.temperature),
                        .top_k = top_k_.value_or(0),
                        .top_p = top_p_.value_or(1)};
    options.seed = static_cast<uint64_t>(seed_.value_or(0));
    options.checkpoint = checkpoint_;

    WatchSignals();
    Terminal& terminal = context.terminal;
    run::GenerationHooks hooks{.should_stop = [] { return CaughtSignal() != 0; }};
    bool begun = false;
    if (!json_) {
      hooks.on_text = [&](std::string_view piece) {
        if (!std::exchange(begun, true)) terminal.Out("{}", terminal.Bold(prompt_));
        terminal.Out("{}", piece);
      };
    }
    HR_TRY(const run::GenerationReport report, run::Generate(options, hooks));
    terminal.Out("{}\n", json_ ? run::ToJson(report) : "");
    if (!json_) terminal.Err("model: {}\n", report.checkpoint.ToString());
    return Ok();
  }

  std::string path_, prompt_, checkpoint_;
  std::optional<int64_t> tokens_, top_k_, seed_;
  std::optional<double> temperature_, top_p_;
  DeviceArguments device_;
  bool json_ = false;
};

}  // namespace

CommandInfo GenerateCommand() {
  return {.name = "generate",
          .summary = "Write text with a run's language model",
          .details = "The text appears as it is written; Ctrl-C ends it.",
          .examples = {"headrace generate runs/shakespeare",
                       "headrace generate runs/shakespeare --prompt \"ROMEO: \" --temperature 0.7 --seed 3"},
          .make = Make<Generate>};
}

}  // namespace headrace::cli
