// InvertedResidual: the block of MobileNetV2 and EfficientNet-Lite: 1 x 1 to more channels, a filter a
// channel, 1 x 1 back to few, and the input added where it fits (Sandler et al., "MobileNetV2", 2018).
#pragma once

#include <optional>

#include "headrace/models/torch_layers.h"

namespace headrace::models {

// Where a block's layers are called by what. Each is a convolution and its BatchNorm.
struct InvertedResidualScopes {
  nn::Scope expand, expand_norm;
  nn::Scope depthwise, depthwise_norm;
  nn::Scope project, project_norm;
};

struct InvertedResidualShape {
  int64_t in = 0, out = 0;
  int64_t expansion = 6;    // 1: no layer that expands
  nn::ConvShape depthwise;  // without groups
};

// [N, H, W, in] -> [N, H', W', out]
class InvertedResidual {
 public:
  InvertedResidual(const InvertedResidualScopes& scopes, const InvertedResidualShape& shape,
                   const NormOptions& norm);
  Value operator()(Value x) const;

 private:
  std::optional<ConvNorm> expand_;
  std::optional<ConvNorm> depthwise_, project_;
  bool residual_;
};

}  // namespace headrace::models
