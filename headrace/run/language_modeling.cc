#include "headrace/run/language_modeling.h"

#include <cmath>
#include <numbers>

#include "headrace/data/dataset.h"
#include "headrace/graph/ops.h"
#include "headrace/nn/losses.h"
#include "headrace/run/model_variables.h"

namespace headrace::run {
namespace {

// Every token is one of the model's vocabulary.
Status Check(const RunConfig& config, const data::Pipeline&) {
  const int64_t vocabulary = std::visit(
      [](const auto& kind) -> int64_t {
        if constexpr (requires { kind.vocab_size; }) return kind.vocab_size;
        return 0;
      },
      config.model);
  if (vocabulary >= data::TextSource::kVocabulary) return Ok();
  return InvalidArgument("model.vocab_size: {} tokens are too few for text read as bytes, which takes {}",
                         vocabulary, data::TextSource::kVocabulary);
}

std::vector<NamedMean> Report(std::span<const NamedMean> means) {
  const double loss = means[0].value;
  return {means[0], {"perplexity", std::exp(loss)}, {"bits_per_byte", loss / std::numbers::ln2}};
}

}  // namespace

const Objective kLanguageModeling = {.command = "generate",
                                     .check = Check,
                                     .make_task = LanguageModelingTask,
                                     .report = Report,
                                     .prediction = nullptr};

Result<train::Task> LanguageModelingTask(const std::string& name, const models::ModelConfig& model,
                                         const std::vector<NamedType>& example_fields) {
  const int tokens = data::FindField(example_fields, data::kTokens);
  if (tokens < 0 || data::FindField(example_fields, data::kTargets) < 0) {
    return InvalidArgument(
        "a language model learns from text, but the data has only: {}; say data.source.format: text",
        data::NamesOf(example_fields));
  }
  const Shape input = example_fields[static_cast<size_t>(tokens)].type.shape;
  train::Task task{.name = name, .variables = {}, .measure_names = {"loss"}, .measure = {}};
  HR_TRY(task.variables, DeclareVariables(model, input));
  task.measure = [model, input](nn::Frame& frame, const train::Fields& batch) -> train::Measures {
    const auto made = models::MakeModel(model, nn::Scope(frame), input);
    const Value logits = (*made)(batch.at(std::string(data::kTokens)));  // [B, T, vocabulary]

    auto entered = frame.graph().Enter("loss");
    const Value losses = nn::CrossEntropy(logits, batch.at(std::string(data::kTargets)));  // [B, T]
    const Value weights = WeightsLike(losses, batch);
    Value loss = Sum(weights * losses);
    for (const Value& penalty : frame.penalties()) loss = loss + Sum(weights) * penalty;  // in training only
    return {Sum(weights), {{"loss", loss}}};
  };
  return task;
}

}  // namespace headrace::run
