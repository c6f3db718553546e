// Evaluated: what a language model gives with weights that are made up. For tests only.
//
//   HostTensor logits = Evaluated(config, /*train=*/false, [](const LanguageModel& model, Graph& graph) {
//     return model(Tokens(graph));
//   });
#pragma once

#include <functional>
#include <vector>

#include "headrace/models/models.h"

namespace headrace::models {

std::vector<nn::VariableSpec> VariablesOf(const ModelConfig& config);

// Runs `body` on the model, whose weights all matter; fails the test if that does not work.
HostTensor Evaluated(const ModelConfig& config, bool train,
                     const std::function<Value(const LanguageModel&, Graph&)>& body);

}  // namespace headrace::models
