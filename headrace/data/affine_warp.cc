#include "headrace/data/affine_warp.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "headrace/core/check.h"

namespace headrace::data {
namespace {

// Zeros around the source, so that the sampling loop has no branches: a place outside is moved onto the
// border (Before to the left and above; to the right and below one more, which the second tap reads).
constexpr int64_t kBefore = 1;
constexpr int64_t kAfter = 2;

// [height + 3, width + 3, channels]
std::vector<float> Padded(int64_t height, int64_t width, int64_t channels, std::span<const float> source) {
  const int64_t row = (width + kBefore + kAfter) * channels;
  std::vector<float> padded((height + kBefore + kAfter) * row);
  for (int64_t y = 0; y < height; ++y) {
    std::ranges::copy(source.subspan(y * width * channels, width * channels),
                      padded.begin() + (y + kBefore) * row + kBefore * channels);
  }
  return padded;
}

}  // namespace

void AffineWarp(const Shape& shape, std::span<const float> source, const AffineMap& map,
                std::span<float> target) {
  HR_CHECK(shape.rank() == 3 && source.size() == target.size());
  const int64_t height = shape[0];
  const int64_t width = shape[1];
  const int64_t channels = shape[2];
  const std::vector<float> padded = Padded(height, width, channels, source);
  const int64_t row = (width + kBefore + kAfter) * channels;
  const auto last_x = static_cast<float>(width + kBefore);
  const auto last_y = static_cast<float>(height + kBefore);

  float* out = target.data();
  for (int64_t y = 0; y < height; ++y) {
    const float start_x = map.xy * static_cast<float>(y) + map.x0 + kBefore;
    const float start_y = map.yy * static_cast<float>(y) + map.y0 + kBefore;
    for (int64_t x = 0; x < width; ++x) {
      const float at_x = std::clamp(map.xx * static_cast<float>(x) + start_x, 0.0f, last_x);
      const float at_y = std::clamp(map.yx * static_cast<float>(x) + start_y, 0.0f, last_y);
      const auto whole_x = static_cast<int32_t>(at_x);
      const auto whole_y = static_cast<int32_t>(at_y);
      const float right = at_x - static_cast<float>(whole_x);
      const float below = at_y - static_cast<float>(whole_y);
      const float* tap = padded.data() + whole_y * row + whole_x * channels;
      for (int64_t c = 0; c < channels; ++c, ++tap) {
        const float upper = tap[0] + right * (tap[channels] - tap[0]);
        const float lower = tap[row] + right * (tap[row + channels] - tap[row]);
        *out++ = upper + below * (lower - upper);
      }
    }
  }
}

void AffineWarpMask(const Shape& shape, std::span<const int32_t> source, const AffineMap& map,
                    int32_t outside, std::span<int32_t> target) {
  HR_CHECK(shape.rank() == 2 && source.size() == target.size());
  const int64_t height = shape[0], width = shape[1];
  const std::vector<int32_t> old(source.begin(), source.end());
  const auto nearest = [](float place) { return static_cast<int64_t>(std::floor(place + 0.5f)); };
  int32_t* out = target.data();
  for (int64_t y = 0; y < height; ++y) {
    const float start_x = map.xy * static_cast<float>(y) + map.x0;
    const float start_y = map.yy * static_cast<float>(y) + map.y0;
    for (int64_t x = 0; x < width; ++x) {
      const int64_t at_x = nearest(map.xx * static_cast<float>(x) + start_x);
      const int64_t at_y = nearest(map.yx * static_cast<float>(x) + start_y);
      const bool inside = at_x >= 0 && at_x < width && at_y >= 0 && at_y < height;
      *out++ = inside ? old[at_y * width + at_x] : outside;
    }
  }
}

}  // namespace headrace::data
