// The variables of a model: which ones it has, and their values in a checkpoint.
#pragma once

#include <vector>

#include "headrace/checkpoint/checkpoint_store.h"
#include "headrace/core/status.h"
#include "headrace/models/models.h"

namespace headrace::run {

// By building the model once without values. `input` is the shape of one example's input; kInvalidArgument
// where the model cannot take it.
Result<std::vector<nn::VariableSpec>> DeclareVariables(const models::ModelConfig& model, const Shape& input);

// Their values, in order. kDataLoss, naming the checkpoint, where one is missing or of another type.
Result<std::vector<HostTensor>> ValuesOf(const std::vector<nn::VariableSpec>& variables,
                                         const checkpoint::TensorMap& values, const std::string& checkpoint);

}  // namespace headrace::run
