#include "headrace/data/resize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "headrace/core/check.h"

namespace headrace::data {
namespace {

// What old pixels, from `first` on, a new pixel is made of, and how much of each.
struct Taps {
  int64_t first;
  std::vector<float> weights;  // sum to 1
};

// Shrinking: the old pixels under the new one, by the share covered.
Taps AreaTaps(int64_t at, int64_t from, int64_t to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  const double begin = static_cast<double>(at) * scale;
  const double end = begin + scale;
  Taps taps{.first = static_cast<int64_t>(begin)};
  const int64_t last = std::min(from, static_cast<int64_t>(std::ceil(end)));
  for (int64_t i = taps.first; i < last; ++i) {
    const auto left = static_cast<double>(i);
    taps.weights.push_back(static_cast<float>((std::min(end, left + 1) - std::max(begin, left)) / scale));
  }
  return taps;
}

// Growing: the two old pixels whose centres lie on both sides of the new one's.
Taps LinearTaps(int64_t at, int64_t from, int64_t to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  const double centre =
      std::clamp((static_cast<double>(at) + 0.5) * scale - 0.5, 0.0, static_cast<double>(from - 1));
  const auto first = static_cast<int64_t>(centre);
  const auto share = static_cast<float>(centre - static_cast<double>(first));
  if (first + 1 == from) return {first, {1}};
  return {first, {1 - share, share}};
}

std::vector<Taps> AllTaps(int64_t from, int64_t to) {
  std::vector<Taps> taps;
  for (int64_t at = 0; at < to; ++at)
    taps.push_back(to < from ? AreaTaps(at, from, to) : LinearTaps(at, from, to));
  return taps;
}

// [outer, from, inner] -> [outer, to, inner]
HostTensor ResizeAxis(const HostTensor& image, Shape shape, int64_t outer, int64_t from, int64_t to,
                      int64_t inner) {
  if (from == to) return image;
  HostTensor result({DType::kF32, std::move(shape)});
  const std::span<const float> in = image.data<float>();
  const std::span<float> out = result.mutable_data<float>();
  const std::vector<Taps> taps = AllTaps(from, to);
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t at = 0; at < to; ++at) {
      const std::span<float> target = out.subspan((o * to + at) * inner, inner);
      int64_t i = taps[at].first;
      for (float weight : taps[at].weights) {
        const std::span<const float> source = in.subspan((o * from + i++) * inner, inner);
        for (int64_t k = 0; k < inner; ++k) target[k] += weight * source[k];
      }
    }
  }
  return result;
}

}  // namespace

HostTensor Resize(const HostTensor& image, int64_t height, int64_t width) {
  const Shape& shape = image.shape();
  HR_CHECK(shape.rank() == 3 && image.size() > 0 && height >= 1 && width >= 1);
  const int64_t channels = shape[2];
  const HostTensor rows =
      ResizeAxis(image, {height, shape[1], channels}, 1, shape[0], height, shape[1] * channels);
  return ResizeAxis(rows, {height, width, channels}, height, shape[1], width, channels);
}

}  // namespace headrace::data
