// RandAugment: a few changes drawn from fourteen kinds, all of one strength (Cubuk et al., 2019). The kinds
// and their strengths are torchvision's, with bilinear sampling and black where a picture is moved away.
#pragma once

#include <array>
#include <string_view>

#include "headrace/core/config.h"
#include "headrace/data/dataset.h"

namespace headrace::data {

// In the order in which they are drawn.
inline constexpr std::array<std::string_view, 14> kRandAugmentKinds = {
    "identity", "shear_x",  "shear_y",   "translate_x", "translate_y", "rotate",        "brightness",
    "color",    "contrast", "sharpness", "posterize",   "solarize",    "auto_contrast", "equalize"};

// Changes `pixels`, f32 of `shape` [height, width, channels] from 0 to 1. `strength` is from 0 to 1, negative
// for the other direction of those kinds that have one.
void ApplyRandAugmentKind(size_t kind, double strength, const Shape& shape, std::span<float> pixels);

struct RandAugment {
  int64_t ops = 2;       // changes in a row
  double magnitude = 9;  // strength, of 30

  void Fields(config::Visitor& v);
  // Of the images `field` of a row, f32 of `shape` [height, width, channels].
  Transform Make(int field, const Shape& shape, uint64_t seed) const;
};

}  // namespace headrace::data
