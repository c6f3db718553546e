// Shard plan: which tensor, or which part of one, goes into which file.
//
// Tensors are packed in the order of their names. The model's stay whole, since Hugging Face's index knows no
// split ones, and its files are named as Hugging Face names them; a state tensor that is larger than the
// limit is cut along its outermost dimensions. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "headrace/checkpoint/box.h"
#include "headrace/checkpoint/snapshot.h"

namespace headrace::checkpoint {

struct PlannedPiece {
  std::string tensor;
  Box box;
};

struct PlannedFile {
  std::string name;  // "model.safetensors", "model-00001-of-00002.safetensors"
  std::vector<PlannedPiece> pieces;
};

// Files of at most `limit` bytes of tensors, except where a single tensor (of a split one: a single element)
// is larger; none for no tensors. `stem` is what the names begin with: "model", "state".
std::vector<PlannedFile> PlanWhole(const TensorMap& tensors, std::string_view stem, int64_t limit);
std::vector<PlannedFile> PlanSplit(const TensorMap& tensors, std::string_view stem, int64_t limit);

}  // namespace headrace::checkpoint
