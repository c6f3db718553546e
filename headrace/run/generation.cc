#include "headrace/run/generation.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "headrace/data/counter_random.h"
#include "headrace/run/decoder.h"
#include "headrace/run/objective.h"
#include "headrace/run/run_directory.h"

namespace headrace::run {
namespace {

int64_t TokenOf(char byte) { return static_cast<unsigned char>(byte); }

}  // namespace

Result<GenerationReport> Generate(const GenerationOptions& options, const GenerationHooks& hooks) {
  HR_TRY(options.sampling.Validate());
  if (options.prompt.empty())
    return InvalidArgument("the prompt is empty; it needs a character to begin from");
  HR_TRY(const ExistingRun run, OpenRun(options.path));
  HR_TRY(CheckCommand("generate", run.config, options.path));
  HR_TRY(const ChosenCheckpoint chosen, ReadCheckpoint(run, options.checkpoint, CheckpointParts::kModel));
  HR_TRY(const std::unique_ptr<runtime::Client> client, OpenClient(options.device));
  HR_TRY(Decoder decoder,
         Decoder::Create(*client, run.config.model, chosen.contents.model, chosen.checkpoint.Name()));
  if (decoder.vocabulary() < data::TextSource::kVocabulary) {
    return InvalidArgument("the model of {} knows {} tokens, too few for text of bytes", options.path,
                           decoder.vocabulary());
  }

  GenerationReport report{.checkpoint = chosen.Choice(), .prompt = options.prompt, .text = {}, .seconds = 0};
  const auto began = std::chrono::steady_clock::now();
  HostTensor logits;
  for (char byte : options.prompt) {
    HR_TRY(logits, decoder.Feed(TokenOf(byte)));
  }
  for (int64_t n = 0; n < options.tokens && !hooks.should_stop(); ++n) {
    data::CounterRandom random(options.seed, data::RandomStream::kSample, static_cast<uint64_t>(n));
    const std::span<const float> bytes = logits.data<float>().first(data::TextSource::kVocabulary);
    const int64_t token = SampleToken(bytes, options.sampling, random.Uniform(0, 1));
    const char byte = static_cast<char>(token);
    report.text += byte;
    hooks.on_text({&byte, 1});
    if (n + 1 < options.tokens) {
      HR_TRY(logits, decoder.Feed(token));
    }
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return report;
}

std::string ToJson(const GenerationReport& report) {
  nlohmann::ordered_json json = {{"checkpoint", report.checkpoint.name}};
  if (!report.checkpoint.best_by.empty()) json["best_by"] = report.checkpoint.best_by;
  json["prompt"] = report.prompt;
  json["text"] = report.text;
  json["tokens"] = report.text.size();
  json["seconds"] = report.seconds;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace headrace::run
