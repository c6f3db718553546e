#include "headrace/run/objective.h"

#include "headrace/run/classification.h"
#include "headrace/run/language_modeling.h"

namespace headrace::run {

// One line a purpose.
const Objective& ObjectiveOf(const models::ModelConfig& model) {
  switch (models::PurposeOf(model)) {
    case models::Purpose::kClassification:
      return kClassification;
    case models::Purpose::kLanguage:
      return kLanguageModeling;
  }
  HR_CHECK(false);
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
