// ModelIndex: model.safetensors.index.json, by which Hugging Face finds the tensors of a model in several
// files.
#pragma once

#include <string>
#include <vector>

#include "headrace/checkpoint/shard_plan.h"

namespace headrace::checkpoint {

std::string ModelIndex(const TensorMap& tensors, const std::vector<PlannedFile>& files);

}  // namespace headrace::checkpoint
