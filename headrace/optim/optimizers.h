// Every optimizer by its kind: what `optimizer:` in a config can be.
#pragma once

#include <variant>

#include "headrace/optim/adam.h"
#include "headrace/optim/sgd.h"

namespace headrace::optim {

using OptimizerConfig = std::variant<AdamwConfig, AdamConfig, SgdConfig>;

inline std::unique_ptr<Optimizer> MakeOptimizer(const OptimizerConfig& config) {
  return std::visit([](const auto& kind) { return kind.Make(); }, config);
}
inline const OptimizerOptions& OptionsOf(const OptimizerConfig& config) {
  return std::visit([](const auto& kind) -> const OptimizerOptions& { return kind; }, config);
}

}  // namespace headrace::optim
