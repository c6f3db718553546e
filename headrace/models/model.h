// Model: what a family of models gives to whoever trains or runs it. A model object lives for one trace.
//
//   ConvnetConfig config{.channels = {16, 32}};
//   std::unique_ptr<Model> model = config.Make(nn::Scope(frame), {28, 28, 1});
//   Value logits = (*model)(images);      // [N, 28, 28, 1] -> [N, 10]
#pragma once

#include <memory>

#include "headrace/core/config.h"
#include "headrace/nn/scope.h"

namespace headrace::models {

// What a family is for. `run` has a task for each, and a command that uses what was trained.
enum class Purpose {
  kClassification,  // which class an example belongs to
  kSegmentation,    // which class each pixel of an image belongs to
  kLanguage,        // which token comes next
};

// Whether a family's models are made of blocks that run in Scope::Remat: its config says kHasBlocks.
template <class Config>
constexpr bool HasBlocks(const Config&) {
  if constexpr (requires { Config::kHasBlocks; }) return Config::kHasBlocks;
  return false;
}

class Model {
 public:
  virtual ~Model() = default;
  // A batch of inputs to logits: [N, ...] -> [N, classes]; for segmentation [N, height, width, classes].
  virtual Value operator()(Value x) const = 0;
};

}  // namespace headrace::models
