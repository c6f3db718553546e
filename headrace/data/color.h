// Changes of an image's colors, in place. Pixels are f32 from 0 to 1, rows of red, green and blue (3
// channels) or of gray (1); results are cut to 0 … 1. A factor of 1 changes nothing. Definitions and numbers
// are those of torchvision.transforms.functional on float tensors (posterize, equalize: on bytes).
//
//   AdjustBrightness(pixels, 1.2f);
//   AdjustHue(pixels, 3, 0.1f);
#pragma once

#include <cstdint>
#include <span>

#include "headrace/tensor/shape.h"

namespace headrace::data {

void AdjustBrightness(std::span<float> pixels, float factor);                    // 0: black
void AdjustContrast(std::span<float> pixels, int64_t channels, float factor);    // 0: the image's mean gray
void AdjustSaturation(std::span<float> pixels, int64_t channels, float factor);  // 0: gray
// Turns hues by a share of the circle, -0.5 to 0.5; gray images stay as they are.
void AdjustHue(std::span<float> pixels, int64_t channels, float turn);
// 0: each pixel but those of the rim smoothed with its 8 neighbors. `shape` is [height, width, channels].
void AdjustSharpness(const Shape& shape, std::span<float> pixels, float factor);

// Keeps the highest `bits` of 8, 0 to 8.
void Posterize(std::span<float> pixels, int bits);
// Inverts what is at least `threshold`.
void Solarize(std::span<float> pixels, float threshold);
// Stretches each channel so that its smallest value is 0 and its largest 1.
void AutoContrast(std::span<float> pixels, int64_t channels);
// Spreads each channel's 256 values so that all are about as frequent.
void Equalize(std::span<float> pixels, int64_t channels);

}  // namespace headrace::data
