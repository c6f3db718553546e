// model/config.json of a checkpoint: what the model is, for whoever opens the folder without Headrace.
#pragma once

#include <string>
#include <vector>

#include "headrace/models/models.h"
#include "headrace/tensor/named_tensor.h"

namespace headrace::run {

// {"model_type": "convnet", "architectures": […], …the family's settings, "inputs": {"image": [28, 28, 1]}}
std::string ModelConfigJson(const models::ModelConfig& model, const std::vector<NamedType>& example_fields);

}  // namespace headrace::run
