// Convolutions of any number of spatial dimensions.
#pragma once

#include "headrace/graph/ops/conv_dims.h"
#include "headrace/graph/ops/dot.h"
#include "headrace/graph/ops/window.h"

namespace headrace {

// One entry a spatial dimension in each; left empty, strides and dilations are 1.
struct ConvOptions {
  Ints strides = {};
  WindowPadding padding = PaddingMode::kValid;
  Ints lhs_dilation = {};      // of the input: what a transposed convolution strides by
  Ints rhs_dilation = {};      // of the filter ("atrous")
  int64_t feature_groups = 1;  // the input's features in so many groups, each for its share of the output's
  int64_t batch_groups = 1;    // the same with the input's batch; one of the two is 1
  Precision precision = Precision::kDefault;
};

// Cross-correlation, which the field calls convolution: the filter is not reversed. Both gradients are
// convolutions.
//
//   Value y = Convolution(x, w, ConvDims::ChannelsLast(2), {.strides = {2, 2}, .padding =
//   PaddingMode::kSame});
Value Convolution(Value lhs, Value rhs, const ConvDims& dims, const ConvOptions& options = {});

}  // namespace headrace
