#include "headrace/data/augment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/data/array_dataset.h"
#include "headrace/data/batch.h"

namespace headrace::data {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

// Four images of 2 x 3 pixels and 2 channels; example i holds 12 i … 12 i + 11.
std::shared_ptr<const Dataset> Images() {
  HostTensor images({DType::kF32, {4, 2, 3, 2}});
  for (int64_t i = 0; i < images.size(); ++i) images.Set(i, static_cast<double>(i));
  return *ArrayDataset::Create({.name = "images"},
                               {{"image", images}, {"label", HostTensor({DType::kI32, {4}})}});
}

std::string ErrorOf(const AugmentConfig& config, const Dataset& dataset) {
  return Augment::Create(config, dataset, 1).status().message();
}

TEST(Augment, DoesNothingWhenNothingIsAsked) {
  const Result<Augment> augment = Augment::Create({}, *Images(), 1);
  ASSERT_TRUE(augment.ok());
  EXPECT_FALSE(augment->cut);
  EXPECT_TRUE(augment->transforms.empty());
  EXPECT_FALSE(augment->mixer);
}

TEST(Augment, SaysWhatItNeeds) {
  const auto features =
      *ArrayDataset::Create({.name = "f"}, {{"features", HostTensor({DType::kF32, {4, 2}})}});
  EXPECT_THAT(ErrorOf({}, *features), HasSubstr("examples have no field 'image'"));
  const auto bytes =
      *ArrayDataset::Create({.name = "b"}, {{"image", HostTensor({DType::kU8, {4, 2, 2, 1}})}});
  EXPECT_EQ(ErrorOf({}, *bytes), "augment: images are u8[2, 2, 1], expected f32[height, width, channels]");
  EXPECT_EQ(ErrorOf({.random_resized_crop = RandomResizedCrop()}, *Images()),
            "augment.random_resized_crop: images has no pictures of their own sizes to cut from; use shift "
            "and zoom");
  const auto unlabeled =
      *ArrayDataset::Create({.name = "u"}, {{"image", HostTensor({DType::kF32, {4, 2, 2, 1}})}});
  EXPECT_EQ(ErrorOf({.mix = {.mixup = 1}}, *unlabeled),
            "augment: mixup and cutmix need examples with a field 'label'");
}

TEST(Augment, FlipsMirrorEachRowAndKeepPixelsWhole) {
  const Augment augment = *Augment::Create({.flip = 1}, *Images(), 1);
  Example example = *Images()->Get(1);
  const std::span<std::byte> row[] = {example[0].tensor.mutable_bytes(), example[1].tensor.mutable_bytes()};
  augment.transforms.at(0)(0, row);
  EXPECT_THAT(example[0].tensor.data<float>(), ElementsAre(16, 17, 14, 15, 12, 13, 22, 23, 20, 21, 18, 19));
}

TEST(Augment, FlipsAsOftenAsAsked) {
  const Augment augment = *Augment::Create({.flip = 0.3}, *Images(), 1);
  int flipped = 0;
  for (int64_t position = 0; position < 2000; ++position) {
    Example example = *Images()->Get(0);
    const std::span<std::byte> row[] = {example[0].tensor.mutable_bytes(), example[1].tensor.mutable_bytes()};
    augment.transforms.at(0)(position, row);
    if (example[0].tensor.At(0) != 0) ++flipped;
  }
  EXPECT_NEAR(flipped, 600, 75);
}

TEST(RandomResizedCrop, StaysInsideAndHasTheAreaAndShapeThatWereAsked) {
  const RandomResizedCrop crop;
  double least_share = 1, most_share = 0, least_ratio = 9, most_ratio = 0;
  for (uint64_t position = 0; position < 3000; ++position) {
    const Box box = crop.Draw(300, 400, CounterRandom(7, RandomStream::kCrop, position));
    ASSERT_GE(box.top, 0);
    ASSERT_GE(box.left, 0);
    ASSERT_LE(box.top + box.height, 300);
    ASSERT_LE(box.left + box.width, 400);
    const double share = static_cast<double>(box.height * box.width) / (300 * 400);
    const double ratio = static_cast<double>(box.width) / static_cast<double>(box.height);
    least_share = std::min(least_share, share);
    most_share = std::max(most_share, share);
    least_ratio = std::min(least_ratio, ratio);
    most_ratio = std::max(most_ratio, ratio);
  }
  EXPECT_NEAR(least_share, 0.08, 0.005);
  EXPECT_NEAR(most_share, 1, 0.02);
  EXPECT_NEAR(least_ratio, 0.75, 0.01);
  EXPECT_NEAR(most_ratio, 4.0 / 3, 0.02);
}

TEST(RandomResizedCrop, TakesTheMiddleOfAPictureThatIsTooLong) {
  const Box box = RandomResizedCrop().Draw(10, 1000, CounterRandom(7, RandomStream::kCrop, 0));
  EXPECT_EQ(box, (Box{.top = 0, .left = 493, .height = 10, .width = 13}));
  const Box tall = RandomResizedCrop().Draw(1000, 9, CounterRandom(7, RandomStream::kCrop, 0));
  EXPECT_EQ(tall, (Box{.top = 494, .left = 0, .height = 12, .width = 9}));
}

TEST(RandomResizedCrop, RangesAreChecked) {
  RandomResizedCrop crop;
  EXPECT_THAT(config::Load("{scale: [0.5]}", "run.yaml", {}, crop).message(),
              HasSubstr("must be two positive numbers, the smaller one first"));
  EXPECT_FALSE(config::Load("{ratio: [2, 1]}", "run.yaml", {}, crop).ok());
  crop = {};
  EXPECT_TRUE(config::Load("{scale: [0.5, 1]}", "run.yaml", {}, crop).ok());
}

TEST(ColorJitter, DrawsEvenlyAndOnlyWhatIsAsked) {
  const ColorJitter jitter{.brightness = 0.4};
  const Transform change = jitter.Make(0, {1, 1, 1}, 5);
  double least = 9, most = 0, sum = 0;
  for (int64_t position = 0; position < 2000; ++position) {
    std::vector<float> pixel = {0.5f};
    const std::span<std::byte> row[] = {std::as_writable_bytes(std::span(pixel))};
    change(position, row);
    least = std::min<double>(least, pixel[0]);
    most = std::max<double>(most, pixel[0]);
    sum += pixel[0];
  }
  EXPECT_NEAR(least, 0.3, 0.002);
  EXPECT_NEAR(most, 0.7, 0.002);
  EXPECT_NEAR(sum / 2000, 0.5, 0.01);
}

// What a seed means must not change between versions.
TEST(Augment, GoldenDraws) {
  EXPECT_EQ(RandomResizedCrop().Draw(300, 400, CounterRandom(7, RandomStream::kCrop, 3)),
            (Box{.top = 11, .left = 132, .height = 256, .width = 237}));
  const ColorJitter jitter{.brightness = 0.4, .contrast = 0.4, .saturation = 0.4, .hue = 0.1};
  std::vector<float> pixels = {0.2f, 0.5f, 0.7f, 0.9f, 0.1f, 0.3f};
  const std::span<std::byte> row[] = {std::as_writable_bytes(std::span(pixels))};
  jitter.Make(0, {1, 2, 3}, 7)(3, row);
  EXPECT_THAT(pixels,
              Pointwise(FloatNear(1e-5), {0.304403f, 0.484196f, 0.687946f, 0.8063f, 0.227221f, 0.300106f}));
}

}  // namespace
}  // namespace headrace::data
