// Pooling: reductions over windows of the spatial dimensions of x [N, spatial…, C].
#pragma once

#include "headrace/graph/ops/window.h"

namespace headrace {

// The window and its strides have one entry a spatial dimension; explicit padding, one (low, high) pair.
//
//   Value y = MaxPool(x, {.window = {2, 2}, .strides = {2, 2}});        // [N, 28, 28, C] -> [N, 14, 14, C]
struct Pooling {
  Ints window;
  Ints strides = {};  // empty: 1 each
  WindowPadding padding = PaddingMode::kValid;
};

Value MaxPool(Value x, const Pooling& pooling);

// The mean over the window. With `count_padding`, padding counts as zeros (torch's and flax's default);
// without it, the mean is over the elements that are there (TensorFlow's), and 0 where there are none.
Value AvgPool(Value x, const Pooling& pooling, bool count_padding = true);

// The mean over all spatial dimensions: [N, spatial…, C] -> [N, C].
Value GlobalAvgPool(Value x);

}  // namespace headrace
