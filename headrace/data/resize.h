// Resize: an image at another size, each new pixel the average of the old ones that it covers; where the
// image grows, linear between the two nearest.
#pragma once

#include <cstdint>

#include "headrace/tensor/host_tensor.h"

namespace headrace::data {

// REQUIRES: f32 [height, width, channels], not empty; height and width are at least 1
HostTensor Resize(const HostTensor& image, int64_t height, int64_t width);

}  // namespace headrace::data
