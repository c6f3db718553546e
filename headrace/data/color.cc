#include "headrace/data/color.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "headrace/core/check.h"
#include "headrace/data/internal/vector_clones.h"

namespace headrace::data {
namespace {

float Cut(float value) { return std::clamp(value, 0.0f, 1.0f); }

float Gray(const float* pixel) { return 0.2989f * pixel[0] + 0.587f * pixel[1] + 0.114f * pixel[2]; }

// Hue as a sector of six, saturation and value; and back.
struct Hsv {
  float hue, saturation, value;
};

Hsv ToHsv(const float* pixel) {
  const auto [red, green, blue] = std::array{pixel[0], pixel[1], pixel[2]};
  const float most = std::max({red, green, blue});
  const float chroma = most - std::min({red, green, blue});
  if (chroma == 0) return {0, 0, most};
  float hue = most == red     ? (green - blue) / chroma
              : most == green ? 2 + (blue - red) / chroma
                              : 4 + (red - green) / chroma;
  if (hue < 0) hue += 6;
  return {hue, chroma / most, most};
}

// Red, green and blue are one trapezoid of the hue, a third of the circle apart.
float FromHsv(const Hsv& color, float offset) {
  float place = offset + color.hue;
  if (place >= 6) place -= 6;
  return Cut(color.value * (1 - color.saturation * Cut(std::min(place, 4 - place))));
}

uint8_t ToByte(float value) { return static_cast<uint8_t>(std::lround(Cut(value) * 255)); }
float FromByte(int value) { return static_cast<float>(value) / 255.0f; }

// pixels = factor · pixels + (1 - factor) · other
HR_VECTOR_CLONES
void BlendWith(std::span<float> pixels, float other, float factor) {
  const float rest = (1 - factor) * other;
  for (float& value : pixels) value = Cut(factor * value + rest);
}

// What each byte of a channel becomes; `counts` says how often it occurs.
std::array<uint8_t, 256> EqualizingTable(const std::array<int64_t, 256>& counts) {
  std::array<uint8_t, 256> table;
  int64_t sum = 0, last = 0;
  for (int64_t count : counts) {
    sum += count;
    if (count > 0) last = count;
  }
  const int64_t step = (sum - last) / 255;
  int64_t before = step / 2;
  for (size_t value = 0; value < table.size(); ++value) {
    table[value] =
        static_cast<uint8_t>(step == 0 ? static_cast<int64_t>(value) : std::min<int64_t>(before / step, 255));
    before += counts[value];
  }
  return table;
}

}  // namespace

void AdjustBrightness(std::span<float> pixels, float factor) { BlendWith(pixels, 0, factor); }

void AdjustContrast(std::span<float> pixels, int64_t channels, float factor) {
  double sum = 0;
  for (size_t i = 0; i < pixels.size(); i += channels) sum += channels == 3 ? Gray(&pixels[i]) : pixels[i];
  const double mean = sum * static_cast<double>(channels) / static_cast<double>(pixels.size());
  BlendWith(pixels, static_cast<float>(mean), factor);
}

HR_VECTOR_CLONES
void AdjustSaturation(std::span<float> pixels, int64_t channels, float factor) {
  if (channels != 3) return;
  for (size_t i = 0; i < pixels.size(); i += 3) {
    const float gray = (1 - factor) * Gray(&pixels[i]);
    for (size_t c = i; c < i + 3; ++c) pixels[c] = Cut(factor * pixels[c] + gray);
  }
}

HR_VECTOR_CLONES
void AdjustHue(std::span<float> pixels, int64_t channels, float turn) {
  if (channels != 3) return;
  const float sectors = 6 * (turn < 0 ? turn + 1 : turn);
  for (size_t i = 0; i < pixels.size(); i += 3) {
    Hsv color = ToHsv(&pixels[i]);
    color.hue += sectors;
    if (color.hue >= 6) color.hue -= 6;
    pixels[i] = FromHsv(color, 5);
    pixels[i + 1] = FromHsv(color, 3);
    pixels[i + 2] = FromHsv(color, 1);
  }
}

void AdjustSharpness(const Shape& shape, std::span<float> pixels, float factor) {
  const int64_t height = shape[0], width = shape[1], channels = shape[2], stride = width * channels;
  HR_CHECK(static_cast<int64_t>(pixels.size()) == height * stride);
  const std::vector<float> old(pixels.begin(), pixels.end());
  for (int64_t y = 1; y + 1 < height; ++y) {
    for (int64_t x = channels; x + channels < stride; ++x) {
      const float* at = old.data() + y * stride + x;
      float sum = 4 * at[0];  // the middle counts 5 times
      for (int64_t row = -stride; row <= stride; row += stride)
        sum += at[row - channels] + at[row] + at[row + channels];
      pixels[y * stride + x] = Cut(factor * at[0] + (1 - factor) * sum / 13);
    }
  }
}

void Posterize(std::span<float> pixels, int bits) {
  HR_CHECK(bits >= 0 && bits <= 8);
  const int mask = 0xFF << (8 - bits);
  for (float& value : pixels) value = FromByte(ToByte(value) & mask & 0xFF);
}

HR_VECTOR_CLONES
void Solarize(std::span<float> pixels, float threshold) {
  for (float& value : pixels) value = value >= threshold ? 1 - value : value;
}

void AutoContrast(std::span<float> pixels, int64_t channels) {
  for (int64_t c = 0; c < channels; ++c) {
    float least = 1, most = 0;
    for (size_t i = c; i < pixels.size(); i += channels) {
      least = std::min(least, pixels[i]);
      most = std::max(most, pixels[i]);
    }
    if (most <= least) continue;
    for (size_t i = c; i < pixels.size(); i += channels) pixels[i] = (pixels[i] - least) / (most - least);
  }
}

void Equalize(std::span<float> pixels, int64_t channels) {
  for (int64_t c = 0; c < channels; ++c) {
    std::array<int64_t, 256> counts{};
    for (size_t i = c; i < pixels.size(); i += channels) ++counts[ToByte(pixels[i])];
    const std::array<uint8_t, 256> table = EqualizingTable(counts);
    for (size_t i = c; i < pixels.size(); i += channels) pixels[i] = FromByte(table[ToByte(pixels[i])]);
  }
}

}  // namespace headrace::data
