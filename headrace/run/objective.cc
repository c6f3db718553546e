#include "headrace/run/objective.h"

#include "headrace/core/check.h"
#include "headrace/data/dataset.h"
#include "headrace/graph/ops.h"
#include "headrace/jit/trace.h"
#include "headrace/run/classification.h"
#include "headrace/run/language_modeling.h"
#include "headrace/run/segmentation.h"

namespace headrace::run {

// One line a purpose.
const Objective& ObjectiveOf(const models::ModelConfig& model) {
  switch (models::PurposeOf(model)) {
    case models::Purpose::kClassification:
      return kClassification;
    case models::Purpose::kSegmentation:
      return kSegmentation;
    case models::Purpose::kLanguage:
      return kLanguageModeling;
  }
  HR_CHECK(false);
}

Result<Function> TracePrediction(const models::ModelConfig& model,
                                 std::span<const nn::VariableSpec> variables, const TensorType& inputs) {
  HR_CHECK(ObjectiveOf(model).prediction != nullptr);
  Types types;
  std::vector<std::string> names;
  for (const nn::VariableSpec& spec : variables) {
    types.push_back(spec.type);
    names.push_back(spec.name);
  }
  types.push_back(inputs);
  names.emplace_back("inputs");
  const Shape example(std::vector<int64_t>(inputs.shape.begin() + 1, inputs.shape.end()));
  return jit::TryTrace(
      "predict", types,
      [&](std::span<const Value> a) {
        std::map<std::string, Value> values;
        for (size_t i = 0; i + 1 < a.size(); ++i) values.emplace(names[i], a[i]);
        nn::Frame frame = nn::Frame::Bind(a[0].graph(), std::move(values), {});
        const auto made = models::MakeModel(model, nn::Scope(frame), example);
        return Values{ObjectiveOf(model).prediction((*made)(a.back()))};
      },
      names);
}

Value WeightsLike(const Value& losses, const train::Fields& batch) {
  const auto weight = batch.find(std::string(data::kWeight));
  if (weight == batch.end()) return OnesLike(losses);
  Value weights = weight->second;
  while (weights.rank() < losses.rank()) weights = ExpandDims(weights, weights.rank());
  return BroadcastTo(weights, losses.shape());
}

Status CheckCommand(std::string_view command, const RunConfig& config, std::string_view path) {
  const std::string_view right = ObjectiveOf(config.model).command;
  if (right == command) return Ok();
  const std::string_view kind = std::visit([](const auto& kind) { return kind.kKind; }, config.model);
  return InvalidArgument(
      "the model of {} is of kind {}, which is not for `headrace {}`: use "
      "`headrace {} {}`",
      path, kind, command, right, path);
}

}  // namespace headrace::run
