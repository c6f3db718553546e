// AffineWarp: an image turned, shifted or scaled, with bilinear sampling and zeros outside.
#pragma once

#include <span>

#include "headrace/tensor/shape.h"

namespace headrace::data {

// Maps a pixel (x, y) of the result to the place in the source that it shows; pixel centres are at whole
// numbers.
struct AffineMap {
  float xx = 1, xy = 0, x0 = 0;  // source x = xx·x + xy·y + x0
  float yx = 0, yy = 1, y0 = 0;  // source y = yx·x + yy·y + y0
};

// `source` and `target` are [height, width, channels] as `shape` says, and may be the same memory. The map's
// numbers are finite.
void AffineWarp(const Shape& shape, std::span<const float> source, const AffineMap& map,
                std::span<float> target);

// The same of a mask [height, width]: of each pixel the nearest, and `outside` beyond the border.
void AffineWarpMask(const Shape& shape, std::span<const int32_t> source, const AffineMap& map,
                    int32_t outside, std::span<int32_t> target);

}  // namespace headrace::data
