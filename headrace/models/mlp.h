// Mlp: fully connected layers with an activation and dropout between them.
#pragma once

#include "headrace/models/model.h"

namespace headrace::models {

struct MlpConfig {
  static constexpr std::string_view kKind = "mlp";
  int64_t classes = 10;
  std::vector<int64_t> hidden = {128};
  std::string activation = "relu";
  double dropout = 0;

  void Fields(config::Visitor& v);
  // `input` is the shape of one example; its dimensions are flattened. Names: layers.0, layers.1, …
  std::unique_ptr<Model> Make(nn::Scope scope, const Shape& input) const;
};

}  // namespace headrace::models
