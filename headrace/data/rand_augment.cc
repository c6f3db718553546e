#include "headrace/data/rand_augment.h"

#include <cmath>
#include <numbers>

#include "headrace/core/check.h"
#include "headrace/data/affine_warp.h"
#include "headrace/data/color.h"
#include "headrace/data/counter_random.h"

namespace headrace::data {
namespace {

constexpr double kMostMagnitude = 30;

// Strengths at 1.
constexpr double kShear = 0.3;              // pixels a pixel
constexpr double kTranslate = 150.0 / 331;  // of the size
constexpr double kRotate = std::numbers::pi / 6;
constexpr double kFactor = 0.9;        // of the factors 1 - 0.9 to 1 + 0.9
constexpr double kPosterizedBits = 4;  // that are dropped

// The source of pixel (x, y), whose centre is at (x + 1/2, y + 1/2).
AffineMap ShearX(double amount) {
  return {.xy = static_cast<float>(amount), .x0 = static_cast<float>(amount / 2)};
}
AffineMap ShearY(double amount) {
  return {.yx = static_cast<float>(amount), .y0 = static_cast<float>(amount / 2)};
}

// Counter-clockwise about the middle.
AffineMap Rotation(double angle, const Shape& shape) {
  const double x = static_cast<double>(shape[1] - 1) / 2, y = static_cast<double>(shape[0] - 1) / 2;
  const double cosine = std::cos(angle), sine = std::sin(angle);
  return {.xx = static_cast<float>(cosine),
          .xy = static_cast<float>(-sine),
          .x0 = static_cast<float>(x - cosine * x + sine * y),
          .yx = static_cast<float>(sine),
          .yy = static_cast<float>(cosine),
          .y0 = static_cast<float>(y - sine * x - cosine * y)};
}

}  // namespace

void ApplyRandAugmentKind(size_t kind, double strength, const Shape& shape, std::span<float> pixels) {
  HR_CHECK(kind < kRandAugmentKinds.size());
  const std::string_view name = kRandAugmentKinds[kind];
  const int64_t channels = shape[2];
  const auto factor = static_cast<float>(1 + kFactor * strength);
  const auto warp = [&](const AffineMap& map) { AffineWarp(shape, pixels, map, pixels); };
  const auto pixels_of = [&](int64_t size) {  // whole ones
    return static_cast<float>(-std::trunc(strength * kTranslate * static_cast<double>(size)));
  };
  if (name == "shear_x") warp(ShearX(strength * kShear));
  if (name == "shear_y") warp(ShearY(strength * kShear));
  if (name == "translate_x") warp({.x0 = pixels_of(shape[1])});
  if (name == "translate_y") warp({.y0 = pixels_of(shape[0])});
  if (name == "rotate") warp(Rotation(strength * kRotate, shape));
  if (name == "brightness") AdjustBrightness(pixels, factor);
  if (name == "color") AdjustSaturation(pixels, channels, factor);
  if (name == "contrast") AdjustContrast(pixels, channels, factor);
  if (name == "sharpness") AdjustSharpness(shape, pixels, factor);
  if (name == "posterize")
    Posterize(pixels, 8 - static_cast<int>(std::lround(std::fabs(strength) * kPosterizedBits)));
  if (name == "solarize") Solarize(pixels, static_cast<float>(1 - std::fabs(strength)));
  if (name == "auto_contrast") AutoContrast(pixels, channels);
  if (name == "equalize") Equalize(pixels, channels);
}

void RandAugment::Fields(config::Visitor& v) {
  v.Field("ops", ops, "Changes in a row", config::Between(1, 14));
  v.Field("magnitude", magnitude, "How strong they are, of 30", config::Between(0, kMostMagnitude));
}

Transform RandAugment::Make(int field, const Shape& shape, uint64_t seed) const {
  return [config = *this, field, shape, seed](int64_t position, Row row) {
    CounterRandom random(seed, RandomStream::kRandAugment, static_cast<uint64_t>(position));
    for (int64_t op = 0; op < config.ops; ++op) {
      const auto kind = static_cast<size_t>(random.Uniform(0, kRandAugmentKinds.size()));
      const double sign = random.Uniform(0, 1) < 0.5 ? 1 : -1;
      ApplyRandAugmentKind(kind, sign * config.magnitude / kMostMagnitude, shape, FloatsOf(row[field]));
    }
  };
}

}  // namespace headrace::data
