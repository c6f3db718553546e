#include "headrace/data/augment.h"

#include <cmath>
#include <numbers>

#include "headrace/data/affine_warp.h"
#include "headrace/data/counter_random.h"

namespace headrace::data {
namespace {

AffineMap DrawMap(const AugmentConfig& config, const Shape& image, CounterRandom random) {
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

Result<Transform> MakeAugment(const AugmentConfig& config, std::span<const NamedType> fields, uint64_t seed) {
  const int image = FindField(fields, kImage);
  if (image < 0) {
    return InvalidArgument(
        "augment: examples have no field '{}'; give the data source an image shape, or leave augment out",
        kImage);
  }
  const TensorType& type = fields[image].type;
  if (type.dtype != DType::kF32 || type.shape.rank() != 3) {
    return InvalidArgument("augment: images are {}, expected f32[height, width, channels]", type.ToString());
  }
  return Transform([config, image, shape = type.shape, seed](int64_t position, Row row) {
    const CounterRandom random(seed, RandomStream::kAugment, static_cast<uint64_t>(position));
    const std::span<std::byte> bytes = row[image];
    const std::span<float> pixels(reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float));
    AffineWarp(shape, pixels, DrawMap(config, shape, random), pixels);
  });
}

}  // namespace headrace::data
