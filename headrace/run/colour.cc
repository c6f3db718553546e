#include "headrace/run/colour.h"

#include <array>

#include "headrace/core/check.h"

namespace headrace::run {

Rgb PixelAt(const HostTensor& picture, int64_t y, int64_t x) {
  const int64_t channels = picture.shape()[2];
  const auto at = static_cast<size_t>((y * picture.shape()[1] + x) * channels);
  const auto data = picture.data<uint8_t>();
  if (channels == 1) return {data[at], data[at], data[at]};
  return {data[at], data[at + 1], data[at + 2]};
}

// Those that people of every kind of sight tell apart (Okabe and Ito, "Color universal design", 2008), after
// a gray for class 0.
Rgb ColourOfClass(int64_t number) {
  constexpr Rgb kFirst = {190, 190, 190};
  constexpr std::array<Rgb, 7> kColours = {{{230, 159, 0},
                                            {86, 180, 233},
                                            {0, 158, 115},
                                            {204, 121, 167},
                                            {0, 114, 178},
                                            {213, 94, 0},
                                            {240, 228, 66}}};
  return number == 0 ? kFirst : kColours[static_cast<size_t>(number - 1) % kColours.size()];
}

HostTensor Tinted(const HostTensor& picture, const HostTensor& mask) {
  const Shape& shape = mask.shape();
  HR_CHECK(picture.shape()[0] == shape[0] && picture.shape()[1] == shape[1]);
  HostTensor tinted({DType::kU8, {shape[0], shape[1], 3}});
  uint8_t* out = tinted.mutable_data<uint8_t>().data();
  const auto mixed = [](uint8_t below, uint8_t colour) { return static_cast<uint8_t>((below + colour) / 2); };
  for (int64_t y = 0; y < shape[0]; ++y) {
    for (int64_t x = 0; x < shape[1]; ++x, out += 3) {
      Rgb pixel = PixelAt(picture, y, x);
      const int32_t number = mask.data<int32_t>()[static_cast<size_t>(y * shape[1] + x)];
      if (number > 0) {
        const Rgb colour = ColourOfClass(number);
        pixel = {mixed(pixel.r, colour.r), mixed(pixel.g, colour.g), mixed(pixel.b, colour.b)};
      }
      out[0] = pixel.r;
      out[1] = pixel.g;
      out[2] = pixel.b;
    }
  }
  return tinted;
}

}  // namespace headrace::run
