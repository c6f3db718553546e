// model/config.json of a checkpoint: what the model is, for whoever opens the folder without Headrace.
#pragma once

#include <string>
#include <vector>

#include "headrace/models/models.h"
#include "headrace/tensor/named_tensor.h"

namespace headrace::run {

// {"model_type": "convnet", "architectures": […], …the family's settings, "inputs": {"image": [28, 28, 1]},
// "id2label": {"0": "cat", "1": "dog"}}, the last where classes have names.
std::string ModelConfigJson(const models::ModelConfig& model, const std::vector<NamedType>& example_fields,
                            const std::vector<std::string>& class_names = {});

}  // namespace headrace::run
