// LanguageModelingTask: a language model trained to tell which token comes next.
#pragma once

#include "headrace/run/objective.h"

namespace headrace::run {

// Measures `loss`: the cross-entropy in nats a token. `example_fields` are `tokens` and `targets`, i32
// [length]; kInvalidArgument, naming what there is, without.
Result<train::Task> LanguageModelingTask(const std::string& name, const models::ModelConfig& model,
                                         const std::vector<NamedType>& example_fields);

// Its evaluations also tell `perplexity`, e^loss, and `bits_per_byte`, loss / ln 2, tokens being bytes.
extern const Objective kLanguageModeling;

}  // namespace headrace::run
