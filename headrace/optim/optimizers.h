// Every optimizer by its kind: what `optimizer:` in a config can be.
#pragma once

#include <variant>

#include "headrace/optim/adafactor.h"
#include "headrace/optim/adagrad.h"
#include "headrace/optim/adam.h"
#include "headrace/optim/lamb.h"
#include "headrace/optim/lion.h"
#include "headrace/optim/muon.h"
#include "headrace/optim/rmsprop.h"
#include "headrace/optim/sgd.h"

namespace headrace::optim {

using OptimizerConfig = std::variant<AdamwConfig, AdamConfig, SgdConfig, LionConfig, AdafactorConfig,
                                     LambConfig, MuonConfig, RmspropConfig, AdagradConfig>;

inline std::unique_ptr<Optimizer> MakeOptimizer(const OptimizerConfig& config) {
  return std::visit([](const auto& kind) { return kind.Make(); }, config);
}
inline const OptimizerOptions& OptionsOf(const OptimizerConfig& config) {
  return std::visit([](const auto& kind) -> const OptimizerOptions& { return kind; }, config);
}

// kInvalidArgument for a pattern in the config that matches no parameter, naming the closest one.
Status CheckPatterns(const OptimizerConfig& config, std::span<const std::string> parameters);

}  // namespace headrace::optim
