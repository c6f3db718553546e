// Colours of pictures' pixels, and of the classes that are laid over them. Everything here is a pure
// function.
//
//   HostTensor shown = Tinted(picture, mask);
#pragma once

#include <cstdint>

#include "headrace/tensor/host_tensor.h"

namespace headrace::run {

struct Rgb {
  uint8_t r = 0, g = 0, b = 0;
};

// The pixel of a picture, u8 [height, width, 1 or 3].
Rgb PixelAt(const HostTensor& picture, int64_t y, int64_t x);

// The colour that a class has in pictures.
Rgb ColourOfClass(int64_t number);

// The picture with its classes laid over it in their colours, but for class 0, usually the background, and
// pixels that count for nothing. u8 [height, width, 3]. REQUIRES: u8 [height, width, 1 or 3] and i32
// [height, width]
HostTensor Tinted(const HostTensor& picture, const HostTensor& mask);

}  // namespace headrace::run
