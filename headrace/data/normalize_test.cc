#include "headrace/data/normalize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/data/array_dataset.h"

namespace headrace::data {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

const TensorType kColors = {DType::kF32, {1, 2, 3}};

TEST(Normalize, PresetsAreThoseOfTheirWeights) {
  std::vector<float> pixels = {0.485f, 0.456f, 0.406f, 1, 1, 1};
  const Result<Normalizer> imagenet = Normalizer::Create({.preset = "imagenet"}, kColors);
  ASSERT_TRUE(imagenet.ok());
  imagenet->Apply(pixels);
  EXPECT_THAT(pixels, Pointwise(FloatNear(1e-5), {0.0f, 0.0f, 0.0f, 2.248908f, 2.428571f, 2.64f}));
  imagenet->Revert(pixels);
  EXPECT_THAT(pixels, Pointwise(FloatNear(1e-6), {0.485f, 0.456f, 0.406f, 1.0f, 1.0f, 1.0f}));

  std::vector<float> ends = {0, 127.0f / 255, 1};
  Normalizer::Create({.preset = "efficientnet_lite"}, kColors)->Apply(ends);
  EXPECT_THAT(ends, Pointwise(FloatNear(1e-6), {-127.0f / 128, 0.0f, 1.0f}));
}

TEST(Normalize, OneNumberServesEveryChannel) {
  std::vector<float> pixels = {0.5f, 1, 0};
  Normalizer::Create({.mean = {0.5}, .std = {0.25}}, kColors)->Apply(pixels);
  EXPECT_THAT(pixels, Pointwise(FloatNear(1e-6), {0.0f, 2.0f, -2.0f}));
}

TEST(Normalize, TheDefaultChangesNothing) {
  std::vector<float> pixels = {0.5f, 1, 0};
  Normalizer().Apply(pixels);
  Normalizer().Revert(pixels);
  EXPECT_EQ(pixels, (std::vector<float>{0.5f, 1, 0}));
}

TEST(Normalize, SaysWhatDoesNotFit) {
  EXPECT_EQ(Normalizer::Create({.preset = "imagenet"}, {DType::kF32, {2, 2, 1}}).status().message(),
            "normalize: preset imagenet is for 3 channels, but images have 1");
  EXPECT_EQ(Normalizer::Create({.mean = {0, 0}, .std = {1, 1}}, kColors).status().message(),
            "normalize: mean and std are for 2 channels, but images have 3");
  NormalizeConfig config;
  EXPECT_THAT(config::Load("{}", "run.yaml", {}, config).message(),
              HasSubstr("normalize needs either a preset, or mean and std"));
  EXPECT_THAT(config::Load("{mean: [0.5]}", "run.yaml", {}, config).message(),
              HasSubstr("mean has 1 numbers and std 0"));
  EXPECT_THAT(config::Load("{preset: imagnet}", "run.yaml", {}, config).message(), HasSubstr("imagenet"));
}

TEST(Normalize, ADatasetIsNormalizedAsItIsRead) {
  const auto images =
      *ArrayDataset::Create({.name = "i"}, {{"image", HostTensor::Of<float>({1, 1, 1, 3}, {0, 0.5, 1})}});
  const auto normalized =
      Normalized(images, *Normalizer::Create({.preset = "inception"}, {DType::kF32, {1, 1, 3}}));
  EXPECT_THAT(normalized->Get(0)->at(0).tensor.data<float>(),
              Pointwise(FloatNear(1e-6), {-1.0f, 0.0f, 1.0f}));
}

}  // namespace
}  // namespace headrace::data
