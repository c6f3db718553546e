// ResNet (He et al., "Deep residual learning for image recognition", 2015), of 18 to 152 layers. Parameters
// have the names and layouts of torchvision's.
#pragma once

#include "headrace/models/model.h"

namespace headrace::models {

struct ResnetConfig {
  static constexpr std::string_view kKind = "resnet";
  static constexpr bool kHasBlocks = true;
  int64_t classes = 1000;
  int64_t depth = 50;  // 18, 34, 50, 101 or 152

  void Fields(config::Visitor& v);
  Status Validate() const;
  // `input` is [height, width, channels] of one example.
  std::unique_ptr<Model> Make(nn::Scope scope, const Shape& input) const;
};

}  // namespace headrace::models
