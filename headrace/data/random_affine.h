// RandomAffine: small random rotations, shifts and zooms of the images that are trained on, each time anew.
#pragma once

#include "headrace/core/config.h"
#include "headrace/data/dataset.h"

namespace headrace::data {

// Each amount is drawn evenly from both sides of doing nothing.
struct RandomAffine {
  double shift = 0;   // pixels, along each axis, fractions included
  double rotate = 0;  // degrees, about the centre
  double zoom = 0;    // share: 0.1 makes the image 0.9 to 1.1 times as large

  void Fields(config::Visitor& v);
  bool DoesNothing() const { return shift == 0 && rotate == 0 && zoom == 0; }
  // Of the images `field` of a row, f32 of `shape` [height, width, channels].
  Transform Make(int field, const Shape& shape, uint64_t seed) const;
  // Moves the masks `field`, i32 of `shape` [height, width], as the images of the same examples; what comes
  // in from outside counts for nothing.
  Transform MakeForMasks(int field, const Shape& shape, uint64_t seed) const;
};

}  // namespace headrace::data
