#include "headrace/data/random_affine.h"

#include <cmath>
#include <numbers>

#include "headrace/data/affine_warp.h"
#include "headrace/data/counter_random.h"

namespace headrace::data {
namespace {

AffineMap DrawMap(const RandomAffine& config, const Shape& image, CounterRandom random) {
  // Every amount is drawn whether it is used or not, so that setting one leaves the others as they were.
  const double angle = random.Uniform(-config.rotate, config.rotate) * std::numbers::pi / 180;
  const double zoom = 1 + random.Uniform(-config.zoom, config.zoom);
  const double shift_x = random.Uniform(-config.shift, config.shift);
  const double shift_y = random.Uniform(-config.shift, config.shift);

  // The source of a pixel p is centre + R⁻¹(p - centre - shift) / zoom.
  const double cosine = std::cos(angle) / zoom;
  const double sine = std::sin(angle) / zoom;
  const double centre_x = static_cast<double>(image[1] - 1) / 2;
  const double centre_y = static_cast<double>(image[0] - 1) / 2;
  const double from_x = centre_x + shift_x;
  const double from_y = centre_y + shift_y;
  return {.xx = static_cast<float>(cosine),
          .xy = static_cast<float>(sine),
          .x0 = static_cast<float>(centre_x - cosine * from_x - sine * from_y),
          .yx = static_cast<float>(-sine),
          .yy = static_cast<float>(cosine),
          .y0 = static_cast<float>(centre_y + sine * from_x - cosine * from_y)};
}

}  // namespace

void RandomAffine::Fields(config::Visitor& v) {
  v.Field("shift", shift, "Shift images by up to so many pixels along each axis", config::Between(0, 1000));
  v.Field("rotate", rotate, "Rotate images by up to so many degrees", config::Between(0, 180));
  v.Field("zoom", zoom, "Enlarge or shrink images by up to this share of their size",
          config::Between(0, 0.9));
}

Transform RandomAffine::Make(int field, const Shape& shape, uint64_t seed) const {
  return [config = *this, field, shape, seed](int64_t position, Row row) {
    const CounterRandom random(seed, RandomStream::kAugment, static_cast<uint64_t>(position));
    const std::span<float> pixels = FloatsOf(row[field]);
    AffineWarp(shape, pixels, DrawMap(config, shape, random), pixels);
  };
}

Transform RandomAffine::MakeForMasks(int field, const Shape& shape, uint64_t seed) const {
  return [config = *this, field, shape, seed](int64_t position, Row row) {
    const CounterRandom random(seed, RandomStream::kAugment, static_cast<uint64_t>(position));
    const std::span<int32_t> mask = IntsOf(row[field]);
    AffineWarpMask(shape, mask, DrawMap(config, shape, random), kIgnored, mask);
  };
}

}  // namespace headrace::data
