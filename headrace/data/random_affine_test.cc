#include "headrace/data/random_affine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "headrace/data/affine_warp.h"

namespace headrace::data {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::Pointwise;

std::vector<float> Warped(const Shape& shape, std::vector<float> image, const AffineMap& map) {
  AffineWarp(shape, image, map, image);
  return image;
}

TEST(AffineWarp, IdentityKeepsEveryBit) {
  const std::vector<float> image = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  EXPECT_EQ(Warped({3, 4, 1}, image, {}), image);
  EXPECT_EQ(Warped({2, 2, 3}, image, {}), image);
}

TEST(AffineWarp, ShiftsBringInZeros) {
  // The source lies one to the left, so the picture moves to the right.
  EXPECT_THAT(Warped({2, 3, 1}, {1, 2, 3, 4, 5, 6}, {.x0 = -1}), ElementsAre(0, 1, 2, 0, 4, 5));
  EXPECT_THAT(Warped({2, 3, 1}, {1, 2, 3, 4, 5, 6}, {.y0 = 1}), ElementsAre(4, 5, 6, 0, 0, 0));
  EXPECT_THAT(Warped({1, 3, 1}, {1, 2, 3}, {.x0 = 100}), ElementsAre(0, 0, 0));
  EXPECT_THAT(Warped({1, 3, 1}, {1, 2, 3}, {.x0 = -100}), ElementsAre(0, 0, 0));
}

TEST(AffineWarp, MasksTakeTheNearestAndMarkWhatComesIn) {
  const auto warped = [](std::vector<int32_t> mask, const AffineMap& map) {
    AffineWarpMask({2, 3}, mask, map, -1, mask);
    return mask;
  };
  EXPECT_THAT(warped({1, 2, 3, 4, 5, 6}, {}), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(warped({1, 2, 3, 4, 5, 6}, {.x0 = -1}), ElementsAre(-1, 1, 2, -1, 4, 5));
  EXPECT_THAT(warped({1, 2, 3, 4, 5, 6}, {.x0 = 0.4f, .y0 = 1.4f}), ElementsAre(4, 5, 6, -1, -1, -1));
  EXPECT_THAT(warped({1, 2, 3, 4, 5, 6}, {.x0 = 1e9f}), ElementsAre(-1, -1, -1, -1, -1, -1));
}

TEST(AffineWarp, InterpolatesBetweenPixelsAndIntoTheBorder) {
  EXPECT_THAT(Warped({1, 3, 1}, {4, 8, 0}, {.x0 = 0.25}), ElementsAre(5, 6, 0));
  EXPECT_THAT(Warped({1, 2, 1}, {4, 8}, {.x0 = -0.5}), ElementsAre(2, 6));
  EXPECT_THAT(Warped({2, 2, 1}, {0, 4, 8, 12}, {.x0 = 0.5, .y0 = 0.5}), ElementsAre(6, 4, 5, 3));
}

TEST(AffineWarp, KeepsChannelsApart) {
  EXPECT_THAT(Warped({1, 2, 2}, {1, 10, 2, 20}, {.x0 = 1}), ElementsAre(2, 20, 0, 0));
}

TEST(AffineWarp, AQuarterTurnMovesEveryPixelToItsPlace) {
  // x' = y, y' = 2 - x: the source of (x, y) in a 3 x 3 picture.
  EXPECT_THAT(Warped({3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {.xx = 0, .xy = 1, .yx = -1, .yy = 0, .y0 = 2}),
              ElementsAre(7, 4, 1, 8, 5, 2, 9, 6, 3));
}

// Applies a transform to one image.
std::vector<float> Moved(const RandomAffine& config, const Shape& shape, std::vector<float> image,
                         int64_t position, uint64_t seed = 1) {
  const std::span<std::byte> row[] = {std::as_writable_bytes(std::span(image))};
  config.Make(0, shape, seed)(position, row);
  return image;
}

TEST(RandomAffine, DoesNothingWhenNothingIsAsked) {
  const std::vector<float> image = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_THAT(Moved({}, {3, 3, 1}, image, 5), Pointwise(FloatNear(1e-5), image));
}

TEST(RandomAffine, IsAFunctionOfSeedAndPosition) {
  const std::vector<float> image = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const RandomAffine config = {.shift = 1, .rotate = 30};
  const std::vector<float> one = Moved(config, {3, 3, 1}, image, 5);
  EXPECT_EQ(one, Moved(config, {3, 3, 1}, image, 5));
  EXPECT_NE(one, Moved(config, {3, 3, 1}, image, 6));
  EXPECT_NE(one, Moved(config, {3, 3, 1}, image, 5, 2));
}

// Where the ink is: its sum, centre and spread.
struct Moments {
  double mass = 0, x = 0, y = 0, spread = 0;
};
Moments MomentsOf(const std::vector<float>& image, int width) {
  const auto height = static_cast<int>(image.size()) / width;
  const auto sum = [&](auto weight) {
    double total = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) total += image[y * width + x] * weight(x, y);
    }
    return total;
  };
  Moments m;
  m.mass = sum([](int, int) { return 1; });
  m.x = sum([](int x, int) { return x; }) / m.mass;
  m.y = sum([](int, int y) { return y; }) / m.mass;
  m.spread =
      std::sqrt(sum([&](int x, int y) { return std::pow(x - m.x, 2) + std::pow(y - m.y, 2); }) / m.mass);
  return m;
}

// A soft blob around (x, y) in a picture of kWidth x kWidth.
constexpr int kWidth = 33;
std::vector<float> Blob(double at_x, double at_y) {
  std::vector<float> image;
  for (int y = 0; y < kWidth; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const double square = std::pow(x - at_x, 2) + std::pow(y - at_y, 2);
      image.push_back(static_cast<float>(std::exp(-square / 8)));
    }
  }
  return image;
}

// The blob's moments after many draws.
std::vector<Moments> Draws(const RandomAffine& config, double x, double y) {
  std::vector<Moments> draws;
  for (int position = 0; position < 400; ++position) {
    draws.push_back(MomentsOf(Moved(config, {kWidth, kWidth, 1}, Blob(x, y), position), kWidth));
  }
  return draws;
}

TEST(RandomAffine, ShiftsEvenlyUpToItsLimitOnBothAxes) {
  double least_x = 0, most_x = 0, most_y = 0, sum = 0;
  for (const Moments& m : Draws({.shift = 3}, 16, 16)) {
    least_x = std::min(least_x, m.x - 16);
    most_x = std::max(most_x, m.x - 16);
    most_y = std::max(most_y, m.y - 16);
    sum += m.x - 16;
  }
  EXPECT_NEAR(least_x, -3, 0.1);
  EXPECT_NEAR(most_x, 3, 0.1);
  EXPECT_NEAR(most_y, 3, 0.1);
  EXPECT_NEAR(sum / 400, 0, 0.25);
}

TEST(RandomAffine, RotatesAboutTheCentreUpToItsLimit) {
  double most = 0;
  for (const Moments& m : Draws({.rotate = 30}, 24, 16)) {
    EXPECT_NEAR(std::hypot(m.x - 16, m.y - 16), 8, 0.05);
    most = std::max(most, std::abs(std::atan2(m.y - 16, m.x - 16)));
  }
  EXPECT_NEAR(most, 30 * 3.14159265 / 180, 0.02);
}

TEST(RandomAffine, ZoomsUpToItsLimit) {
  const double before = MomentsOf(Blob(16, 16), kWidth).spread;
  double least = 1, most = 1;
  for (const Moments& m : Draws({.zoom = 0.25}, 16, 16)) {
    least = std::min(least, m.spread / before);
    most = std::max(most, m.spread / before);
  }
  EXPECT_NEAR(least, 0.75, 0.04);
  EXPECT_NEAR(most, 1.25, 0.04);
}

TEST(RandomAffine, ConfigHasLimits) {
  RandomAffine config;
  EXPECT_FALSE(config::Load("{shift: -1}", "run.yaml", {}, config).ok());
  EXPECT_TRUE(config::Load("{shift: 2, rotate: 10}", "run.yaml", {}, config).ok());
  EXPECT_EQ(config.rotate, 10);
}

}  // namespace
}  // namespace headrace::data
