// Every family of models by its kind: what `model:` in a config can be.
#pragma once

#include <variant>

#include "headrace/models/convnet.h"
#include "headrace/models/mlp.h"

namespace headrace::models {

using ModelConfig = std::variant<ConvnetConfig, MlpConfig>;

inline std::unique_ptr<Model> MakeModel(const ModelConfig& config, nn::Scope scope, const Shape& input) {
  return std::visit([&](const auto& kind) { return kind.Make(scope, input); }, config);
}

}  // namespace headrace::models
