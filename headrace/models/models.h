// Every family of models by its kind: what `model:` in a config can be.
#pragma once

#include <variant>

#include "headrace/models/convnet.h"
#include "headrace/models/efficientnet.h"
#include "headrace/models/gpt.h"
#include "headrace/models/llama.h"
#include "headrace/models/mlp.h"
#include "headrace/models/mobilenet.h"
#include "headrace/models/resnet.h"
#include "headrace/models/rnn.h"
#include "headrace/models/unet.h"
#include "headrace/models/vit.h"

namespace headrace::models {

using ModelConfig = std::variant<ConvnetConfig, EfficientnetLiteConfig, GptConfig, LlamaConfig, MlpConfig,
                                 MobilenetV2Config, ResnetConfig, RnnConfig, UnetConfig, VitConfig>;

inline std::unique_ptr<Model> MakeModel(const ModelConfig& config, nn::Scope scope, const Shape& input) {
  return std::visit([&](const auto& kind) { return kind.Make(scope, input); }, config);
}

// Classification, unless the family says something else.
inline Purpose PurposeOf(const ModelConfig& config) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (requires { kind.kPurpose; }) return kind.kPurpose;
        return Purpose::kClassification;
      },
      config);
}

// How many classes it tells apart; 0 for a family that tells no classes apart.
inline int64_t ClassesOf(const ModelConfig& config) {
  return std::visit(
      [](const auto& kind) -> int64_t {
        if constexpr (requires { kind.classes; }) return kind.classes;
        return 0;
      },
      config);
}

// Throws GraphError for a family that is no language model.
inline std::unique_ptr<LanguageModel> MakeLanguageModel(const ModelConfig& config, nn::Scope scope) {
  return std::visit(
      [&](const auto& kind) -> std::unique_ptr<LanguageModel> {
        if constexpr (requires { kind.MakeLanguageModel(scope); }) return kind.MakeLanguageModel(scope);
        throw GraphError(scope.path(), fmt::format("{} is no language model", kind.kKind));
      },
      config);
}

}  // namespace headrace::models
