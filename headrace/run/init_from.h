// ReadInitialValues: weights that exist as the values that a model begins with, for transfer learning.
//
// They come from a run (its last checkpoint), a Hugging Face folder (model.safetensors, whole or in shards),
// or a .safetensors file. Tensors go to the variables of their names; where every name in the file has the
// same words before
// (`backbone.conv1.weight`), without those. A variable that the file does not have, or has in another shape,
// is an error unless it is named to begin anew: nothing is left random unasked.
//
//   HR_TRY(InitialValues initial, ReadInitialValues("resnet.safetensors", {"fc.*"}, task.variables));
//   HR_TRY(trainer.Initialize(seed, initial.values));
#pragma once

#include <span>
#include <string>
#include <vector>

#include "headrace/checkpoint/checkpoint.h"
#include "headrace/core/status.h"
#include "headrace/nn/scope.h"

namespace headrace::run {

struct InitialValues {
  std::string source;               // "runs/mnist, step-000600", "weights/resnet.safetensors"
  std::string prefix;               // what names in the file have before the model's; usually empty
  checkpoint::TensorMap values;     // by the model's names
  std::vector<std::string> fresh;   // of the model: begin anew
  std::vector<std::string> unused;  // of the file: no variable is called so, or it begins anew

  // "initial values from weights/resnet.safetensors: 120 loaded, 2 new (fc.weight, fc.bias), 3 left (…)".
  std::string Summary() const;
};

// `except` are patterns (core/glob.h) of the variables that begin anew. kInvalidArgument, saying what was
// looked for, where there are no weights to read, and naming the tensor and both shapes for those that do not
// fit.
Result<InitialValues> ReadInitialValues(const std::string& path, std::span<const std::string> except,
                                        std::span<const nn::VariableSpec> variables);

}  // namespace headrace::run
