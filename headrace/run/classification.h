// ClassificationTask: a model family trained to tell classes apart: softmax cross-entropy and accuracy.
#pragma once

#include "headrace/run/objective.h"

namespace headrace::run {

// The name of the field that models take: `image`, or else `features`. kInvalidArgument, naming what there
// is, without.
Result<NamedType> InputField(const std::vector<NamedType>& example_fields);

// Measures `loss` and `accuracy`. `example_fields` are those of one example; it needs the input and a
// `label`.
Result<train::Task> ClassificationTask(const std::string& name, const models::ModelConfig& model,
                                       const std::vector<NamedType>& example_fields);

extern const Objective kClassification;

}  // namespace headrace::run
