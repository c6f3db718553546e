// ColorJitter: brightness, contrast, saturation and hue changed by random amounts, in a random order. As
// torchvision's.
#pragma once

#include "headrace/core/config.h"
#include "headrace/data/dataset.h"

namespace headrace::data {

struct ColorJitter {
  double brightness = 0;  // factors are drawn from 1 - amount (at least 0) to 1 + amount
  double contrast = 0;
  double saturation = 0;
  double hue = 0;  // the turn is drawn from -amount to amount; 1 is the whole circle

  void Fields(config::Visitor& v);
  // Of the images `field` of a row, f32 of `shape` [height, width, channels].
  Transform Make(int field, const Shape& shape, uint64_t seed) const;
};

}  // namespace headrace::data
