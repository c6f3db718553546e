#include "headrace/data/color_jitter.h"

#include <algorithm>
#include <array>

#include "headrace/data/color.h"
#include "headrace/data/counter_random.h"

namespace headrace::data {
namespace {

// The numbers 0 to 3 in a random order (Fisher and Yates).
std::array<int, 4> DrawOrder(CounterRandom& random) {
  std::array<int, 4> order = {0, 1, 2, 3};
  for (size_t i = order.size() - 1; i > 0; --i) {
    std::swap(order[i], order[static_cast<size_t>(random.Uniform(0, static_cast<double>(i + 1)))]);
  }
  return order;
}

}  // namespace

void ColorJitter::Fields(config::Visitor& v) {
  v.Field("brightness", brightness, "Multiply by 1 - this to 1 + this", config::AtLeast(0));
  v.Field("contrast", contrast, "Multiply differences from the mean gray by 1 - this to 1 + this",
          config::AtLeast(0));
  v.Field("saturation", saturation, "Multiply differences from gray by 1 - this to 1 + this",
          config::AtLeast(0));
  v.Field("hue", hue, "Turn hues by up to this share of the circle, either way", config::Between(0, 0.5));
}

Transform ColorJitter::Make(int field, const Shape& shape, uint64_t seed) const {
  return [config = *this, field, channels = shape[2], seed](int64_t position, Row row) {
    CounterRandom random(seed, RandomStream::kColor, static_cast<uint64_t>(position));
    const std::span<float> pixels = FloatsOf(row[field]);
    // Every amount is drawn whether it is used or not, so that setting one leaves the others as they were.
    const auto draw_factor = [&](double amount) {
      return static_cast<float>(random.Uniform(std::max(0.0, 1 - amount), 1 + amount));
    };
    const std::array<int, 4> order = DrawOrder(random);
    const float brightness = draw_factor(config.brightness);
    const float contrast = draw_factor(config.contrast);
    const float saturation = draw_factor(config.saturation);
    const auto hue = static_cast<float>(random.Uniform(-config.hue, config.hue));
    for (int change : order) {
      if (change == 0 && config.brightness > 0) AdjustBrightness(pixels, brightness);
      if (change == 1 && config.contrast > 0) AdjustContrast(pixels, channels, contrast);
      if (change == 2 && config.saturation > 0) AdjustSaturation(pixels, channels, saturation);
      if (change == 3 && config.hue > 0) AdjustHue(pixels, channels, hue);
    }
  };
}

}  // namespace headrace::data
