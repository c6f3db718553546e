#include "headrace/optim/optimizers.h"

#include "headrace/core/glob.h"

namespace headrace::optim {

Status CheckPatterns(const OptimizerConfig& config, std::span<const std::string> parameters) {
  const auto lists = std::visit([](const auto& kind) { return kind.Patterns(); }, config);
  for (const PatternList& list : lists) {
    HR_TRY(glob::CheckAll("optimizer." + list.key, list.patterns, parameters));
  }
  return Ok();
}

}  // namespace headrace::optim
