// Augment: small random rotations, shifts and zooms of the images that are trained on, each time anew.
//
//   HR_TRY(Transform augment, MakeAugment({.shift = 2, .rotate = 10}, dataset->fields(), seed));
//   HR_TRY(auto batches, TrainBatches::Create(dataset, {.batch_size = 100, .transforms = {augment}}));
#pragma once

#include <cstdint>
#include <span>

#include "headrace/core/config.h"
#include "headrace/data/batch.h"

namespace headrace::data {

// Each amount is drawn evenly from both sides of doing nothing.
struct AugmentConfig {
  double shift = 0;   // pixels, along each axis, fractions included
  double rotate = 0;  // degrees, about the centre
  double zoom = 0;    // share: 0.1 makes the image 0.9 to 1.1 times as large

  void Fields(config::Visitor& v) {
    v.Field("shift", shift, "Shift images by up to so many pixels along each axis", config::Between(0, 1000));
    v.Field("rotate", rotate, "Rotate images by up to so many degrees", config::Between(0, 180));
    v.Field("zoom", zoom, "Enlarge or shrink images by up to this share of their size",
            config::Between(0, 0.9));
  }
};

// A transform of field `image`, which must be f32 [height, width, channels]. What it draws is a pure function
// of the seed and the example's position in the training sequence.
Result<Transform> MakeAugment(const AugmentConfig& config, std::span<const NamedType> fields, uint64_t seed);

}  // namespace headrace::data
