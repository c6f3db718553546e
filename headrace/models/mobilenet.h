// MobileNetV2 (Sandler et al., 2018). Parameters have the names and layouts of torchvision's.
#pragma once

#include "headrace/models/model.h"

namespace headrace::models {

struct MobilenetV2Config {
  static constexpr std::string_view kKind = "mobilenet_v2";
  int64_t classes = 1000;
  double width = 1;      // of all layers, against the paper's
  double dropout = 0.2;  // before the logits

  void Fields(config::Visitor& v);
  // `input` is [height, width, channels] of one example.
  std::unique_ptr<Model> Make(nn::Scope scope, const Shape& input) const;
};

}  // namespace headrace::models
