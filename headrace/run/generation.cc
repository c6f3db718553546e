#include "headrace/run/generation.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "headrace/data/counter_random.h"
#include "headrace/io/input_error.h"
#include "headrace/run/decoder.h"
#include "headrace/run/objective.h"
#include "headrace/run/run_directory.h"

namespace headrace::run {
namespace {

// The model's tensors of one checkpoint.
struct Weights {
  std::string checkpoint;
  checkpoint::TensorMap tensors;
};

Result<Weights> ReadWeights(const ExistingRun& run, std::optional<int64_t> step) {
  if (step) {
    HR_TRY(const checkpoint::Checkpoint checkpoint, io::AsInput(run.checkpoints->Open(*step)));
    HR_TRY(checkpoint::TensorMap tensors, checkpoint.ReadModel());
    return Weights{checkpoint.Name(), std::move(tensors)};
  }
  HR_TRY(checkpoint::Restored restored, run.checkpoints->ReadLatest());
  if (!restored.checkpoint) return InvalidArgument("the run at {} has no checkpoint yet", run.path);
  return Weights{restored.checkpoint->Name(), std::move(restored.contents.model)};
}

int64_t TokenOf(char byte) { return static_cast<unsigned char>(byte); }

}  // namespace

Result<GenerationReport> Generate(const GenerationOptions& options, const GenerationHooks& hooks) {
  HR_TRY(options.sampling.Validate());
  if (options.prompt.empty())
    return InvalidArgument("the prompt is empty; it needs a character to begin from");
  HR_TRY(const ExistingRun run, OpenRun(options.path));
  HR_TRY(CheckCommand("generate", run.config, options.path));
  HR_TRY(const Weights weights, ReadWeights(run, options.step));
  HR_TRY(const std::unique_ptr<runtime::Client> client, OpenClient(options.device));
  HR_TRY(Decoder decoder, Decoder::Create(*client, run.config.model, weights.tensors, weights.checkpoint));
  if (decoder.vocabulary() < data::TextSource::kVocabulary) {
    return InvalidArgument("the model of {} knows {} tokens, too few for text of bytes", options.path,
                           decoder.vocabulary());
  }

  GenerationReport report{
      .checkpoint = weights.checkpoint, .prompt = options.prompt, .text = {}, .seconds = 0};
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
  return nlohmann::ordered_json{{"checkpoint", report.checkpoint},
                                {"prompt", report.prompt},
                                {"text", report.text},
                                {"tokens", report.text.size()},
                                {"seconds", report.seconds}}
      .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace headrace::run
