// Convnet: blocks of convolution, normalization, relu and, unless they stride, pooling, then fully connected
// layers.
#pragma once

#include "headrace/models/model.h"

namespace headrace::models {

struct ConvnetConfig {
  static constexpr std::string_view kKind = "convnet";
  int64_t classes = 10;
  std::vector<int64_t> channels = {16, 32};  // of each block
  std::vector<int64_t> strides = {};  // of each block; empty: they pool, and every block halves the image
  int64_t kernel = 3;
  int64_t hidden = 128;  // width of the layer before the logits; 0 for none
  bool batch_norm = true;
  double dropout = 0;  // before the logits

  void Fields(config::Visitor& v);
  Status Validate() const;
  // `input` is [height, width, channels] of one example. Names: blocks.0.conv, blocks.0.norm, hidden,
  // classifier.
  std::unique_ptr<Model> Make(nn::Scope scope, const Shape& input) const;
};

}  // namespace headrace::models
