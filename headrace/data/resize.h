// Resize: a picture, or a part of it, at another size. Where it shrinks, each new pixel is a weighted mean of
// all the old ones that it covers (no aliasing); where it grows, it is interpolated. To the bit what Pillow's
// Image.resize makes of the part, which is what models on the web were trained and measured with.
//
//   HR_TRY(Interpolation bicubic, ParseInterpolation("bicubic"));
//   HostTensor small = Resize(picture, WholeOf(picture), 224, 224, bicubic);
//   HostTensor corner = Resize(picture, {.top = 0, .left = 0, .height = 50, .width = 50}, 224, 224, bicubic);
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "headrace/tensor/host_tensor.h"

namespace headrace::data {

enum class Interpolation { kBilinear, kBicubic, kNearest };

// The names in configs of those for pictures; masks, whose values are numbers of classes, take the nearest.
inline constexpr std::array<std::string_view, 2> kInterpolations = {"bilinear", "bicubic"};
// REQUIRES: one of those names
Interpolation ParseInterpolation(std::string_view name);

// A part of a picture, in pixels.
struct Box {
  int64_t top = 0, left = 0, height = 0, width = 0;
  bool operator==(const Box&) const = default;
};
Box WholeOf(const HostTensor& picture);

// REQUIRES: u8 [height, width, channels]; the box lies inside and is not empty; height and width are at least
// 1
HostTensor Resize(const HostTensor& picture, const Box& box, int64_t height, int64_t width,
                  Interpolation interpolation);

}  // namespace headrace::data
