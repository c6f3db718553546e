#include "headrace/data/segmentation_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "headrace/data/image.h"
#include "headrace/data/pipeline.h"
#include "headrace/data/test/tensors.h"
#include "headrace/io/temporary_folder.h"

namespace headrace::data {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Gray, of one height and width.
std::string Png(int64_t height, int64_t width, const std::vector<uint8_t>& values) {
  return *EncodePng(HostTensor::Of<uint8_t>({height, width, 1}, values));
}

class SegmentationFolderTest : public ::testing::Test {
 protected:
  // 2 x 2 pictures, each with one bright pixel, which its mask marks with 255.
  SegmentationFolderTest() {
    for (int i = 0; i < 4; ++i) {
      std::vector<uint8_t> picture(4, 51), mask(4, 0);
      picture[static_cast<size_t>(i)] = mask[static_cast<size_t>(i)] = 255;
      Write(fmt::format("images/part/{}.png", i), Png(2, 2, picture));
      Write(fmt::format("masks/part/{}.png", i), Png(2, 2, mask));
    }
  }

  std::string Path(const std::string& key) const { return folder_ / key; }
  void Write(const std::string& key, std::string_view bytes) const {
    const std::filesystem::path file = Path(key);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
  }
  SegmentationFolderSource Source() const {
    return {.images = Path("images"),
            .masks = Path("masks"),
            .classes = {"ground", "dot"},
            .mask_values = {0, 255},
            .image = {.size = {2, 2}, .channels = 1},
            .shuffle_seed = {}};
  }
  std::string OpenError() const { return Source().Open().status().ToString(); }

  io::TemporaryFolder folder_;
};

TEST_F(SegmentationFolderTest, PairsPicturesWithMasksOfTheirNames) {
  const auto dots = Source().Open();
  ASSERT_TRUE(dots.ok()) << dots.status().ToString();
  EXPECT_EQ((*dots)->size(), 4);
  EXPECT_EQ((*dots)->Where(2), Path("images/part/2.png"));
  EXPECT_THAT((*dots)->ClassNames(), ElementsAre("ground", "dot"));
  const Example example = *(*dots)->Get(2);
  ASSERT_EQ(example.size(), 3u);
  EXPECT_EQ(example[0].name, "image");
  EXPECT_THAT(example[0].tensor.data<float>(), ElementsAre(0.2f, 0.2f, 1, 0.2f));
  EXPECT_EQ(example[1].name, "mask");
  EXPECT_EQ(example[1].tensor.type(), (TensorType{DType::kI32, {2, 2}}));
  EXPECT_THAT(example[1].tensor.data<int32_t>(), ElementsAre(0, 0, 1, 0));
  EXPECT_EQ(example[2].tensor.At(0), 1);
}

TEST_F(SegmentationFolderTest, ValuesStandForThemselvesAnd255ForNothingUnlessTold) {
  SegmentationFolderSource source = Source();
  source.mask_values = {};
  EXPECT_THAT((*source.Open())->Get(0)->at(1).tensor.data<int32_t>(), ElementsAre(kIgnored, 0, 0, 0));
  source.ignore = 0;
  source.mask_values = {7, 255};
  EXPECT_THAT((*source.Open())->Get(0)->at(1).tensor.data<int32_t>(),
              ElementsAre(1, kIgnored, kIgnored, kIgnored));
}

// Or the 255 of a mistaken `mask_values: [0, 254]` would silently count for nothing.
TEST_F(SegmentationFolderTest, WhereValuesAreGivenAnyOtherIsAnError) {
  SegmentationFolderSource source = Source();
  source.mask_values = {0, 254};
  EXPECT_THAT((*source.Open())->Get(0).status().message(),
              HasSubstr("row 0, column 0 is 255, which stands for"));
}

TEST_F(SegmentationFolderTest, AValueThatStandsForNothingIsAnErrorThatNamesIt) {
  Write("masks/part/1.png", Png(2, 2, {0, 0, 0, 3}));
  const auto dots = *Source().Open();
  EXPECT_EQ(
      dots->Get(1).status().ToString(),
      "INVALID_ARGUMENT: " + Path("masks/part/1.png") +
          ": the pixel in row 1, column 1 is 3, which stands for none of the 2 classes; give every class "
          "its place in `classes` (and `mask_values`), or say what to leave out (`ignore`)");
}

TEST_F(SegmentationFolderTest, WhatCannotBeReadKeepsItsPlaceWithWeightZero) {
  Write("images/part/0.png", "hello");
  Write("masks/part/1.png", Png(2, 2, {0, 0, 0, 0}).substr(0, 50));
  const auto dots = *Source().Open();
  const Batch batch = *(*EvalBatches::Create(dots, 4))(0);
  EXPECT_THAT(batch.Find("weight")->data<float>(), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(batch.Find("mask")->data<int32_t>().first(8), Each(kIgnored));
  EXPECT_THAT(batch.Find("image")->data<float>().first(8), Each(0));
  EXPECT_THAT(dots->Skipped()->Reasons(),
              ElementsAre(HasSubstr("images/part/0.png is not an image that can be read"),
                          HasSubstr("masks/part/1.png is a damaged or incomplete PNG image")));
}

TEST_F(SegmentationFolderTest, AWholeFileThatIsNoMaskOfItsPictureIsAnError) {
  Write("masks/part/0.png", Png(1, 4, {0, 0, 0, 0}));
  Write("masks/part/1.png", *EncodePng(HostTensor::Of<uint8_t>({1, 1, 3}, {1, 2, 3})));
  const auto dots = *Source().Open();
  EXPECT_EQ(dots->Get(0).status().ToString(),
            fmt::format("INVALID_ARGUMENT: {} has 4 x 1 pixels, but {} has 2 x 2", Path("masks/part/0.png"),
                        Path("images/part/0.png")));
  EXPECT_THAT(dots->Get(1).status().ToString(),
              HasSubstr("masks/part/1.png has colours; a mask has one value"));
  EXPECT_EQ(dots->Skipped()->count(), 0);
}

TEST_F(SegmentationFolderTest, SaysWhatIsWrongWithTheFolders) {
  Write("images/part/9.jpg", "");
  EXPECT_THAT(OpenError(), HasSubstr("images/part/9.jpg: a picture without a mask in " + Path("masks") +
                                     "; 1 in all; say skip_unmasked: true to leave them out"));
  SegmentationFolderSource skipping = Source();
  skipping.skip_unmasked = true;
  EXPECT_EQ((*skipping.Open())->size(), 4);
  Write("images/part/9.png", "");
  EXPECT_THAT(OpenError(), HasSubstr("two pictures share a name, part/9.jpg and part/9.png; rename one"));
  std::filesystem::remove(Path("images/part/9.png"));
  std::filesystem::remove(Path("images/part/9.jpg"));
  Write("masks/lost.png", "");
  EXPECT_THAT(OpenError(), HasSubstr("masks/lost.png: a mask without a picture ("));
  std::filesystem::remove(Path("masks/lost.png"));
  Write("masks/part/0.jpg", "");
  EXPECT_THAT(OpenError(), HasSubstr("masks/part/0.jpg: masks are PNG files"));
  std::filesystem::remove(Path("masks/part/0.jpg"));
  Write("images/x.webp", "");
  EXPECT_THAT(OpenError(), HasSubstr("images/x.webp: pictures of this kind are not read"));
  std::filesystem::remove(Path("images/x.webp"));
  EXPECT_EQ(OpenError(), "OK");
  std::filesystem::remove_all(Path("masks"));
  EXPECT_THAT(OpenError(), HasSubstr("NOT_FOUND: there are no masks (.png) in " + Path("masks")));
}

TEST_F(SegmentationFolderTest, SaysWhatIsWrongWithTheClasses) {
  const auto error = [&](std::vector<std::string> classes, std::vector<int64_t> values) {
    SegmentationFolderSource source = Source();
    source.classes = std::move(classes);
    source.mask_values = std::move(values);
    return source.Validate().message();
  };
  EXPECT_EQ(error({"a"}, {}), "classes: name at least two, the background among them");
  EXPECT_EQ(error({"a", "b"}, {1}), "mask_values: 1 values for 2 classes; give one for each");
  EXPECT_EQ(error({"a", "b"}, {4, 4}), "mask_values: 4 stands for both a and b");
  EXPECT_EQ(error({"a", "a"}, {}), "classes: two are called a");
  EXPECT_EQ(error({"a", "b"}, {0, 256}), "classes: a mask has no value 256, only 0 to 255");
  EXPECT_EQ(error({"a", "b"}, {}), "");
  SegmentationFolderSource source = Source();
  source.ignore = 255;
  EXPECT_EQ(source.Open().status().message(),
            "ignore: 255 stands for dot; give the classes their values (mask_values)");
  source.ignore = 256;
  EXPECT_EQ(source.Validate().message(), "ignore: a mask has no value 256, only 0 to 255");
}

// What evaluation sees: the middle of the picture, after the shorter side was resized, and the same of the
// mask.
TEST_F(SegmentationFolderTest, MiddlesOfMasksAreThoseOfTheirPictures) {
  std::vector<uint8_t> picture(12 * 30), mask(12 * 30);
  for (size_t y = 0; y < 12; ++y) {
    for (size_t x = 0; x < 30; ++x) {
      const bool inside = y < 5 && x < 14;
      picture[y * 30 + x] = inside ? 255 : 102;
      mask[y * 30 + x] = inside ? 255 : 0;
    }
  }
  Write("images/part/0.png", Png(12, 30, picture));
  Write("masks/part/0.png", Png(12, 30, mask));
  SegmentationFolderSource source = Source();
  source.image.size = {8, 16};
  for (const std::optional<int64_t> resize : {std::optional<int64_t>(), std::optional<int64_t>(20)}) {
    source.image.resize = resize;
    const Example example = *(*source.Open())->Get(0);
    const auto pixels = example[0].tensor.data<float>();
    int dots = 0;
    for (size_t i = 0; i < pixels.size(); ++i) {
      const int32_t number = example[1].tensor.data<int32_t>()[i];
      dots += number;
      if (pixels[i] == 1) {
        EXPECT_EQ(number, 1) << i;
      } else if (std::fabs(pixels[i] - 0.4f) < 1e-6f) {
        EXPECT_EQ(number, 0) << i;
      }
    }
    EXPECT_GT(dots, 4);
    EXPECT_LT(dots, 64);
  }
}

// However pictures are cut, mirrored and moved, their masks go with them.
TEST_F(SegmentationFolderTest, MasksGoWithTheirPictures) {
  std::vector<uint8_t> picture(24 * 20), mask(24 * 20);
  for (size_t y = 0; y < 24; ++y) {
    for (size_t x = 0; x < 20; ++x) {
      const bool inside = y >= 5 && y < 17 && x >= 3 && x < 14;
      picture[y * 20 + x] = inside ? 255 : 102;
      mask[y * 20 + x] = inside ? 255 : 0;
    }
  }
  for (int i = 0; i < 4; ++i) {
    Write(fmt::format("images/part/{}.png", i), Png(24, 20, picture));
    Write(fmt::format("masks/part/{}.png", i), Png(24, 20, mask));
  }
  SegmentationFolderSource source = Source();
  source.image.size = {16, 16};
  DataConfig config{.source = source, .split = {.train = 4, .eval = 0}};
  config.augment = AugmentConfig{.random_resized_crop = RandomResizedCrop{.scale = {0.5, 1}},
                                 .flip = 0.5,
                                 .affine = {.shift = 3, .rotate = 20, .zoom = 0.2}};
  const TrainBatches batches = *Pipeline::Open(config, 3)->Train(4);
  int ignored = 0, dots = 0, clear = 0, wrong = 0, all = 0;
  for (int64_t k = 0; k < 25; ++k) {
    const Batch batch = *batches(k);
    const auto pixels = batch.Find("image")->data<float>();
    const auto numbers = batch.Find("mask")->data<int32_t>();
    for (size_t i = 0; i < numbers.size(); ++i, ++all) {
      dots += numbers[i] == 1 ? 1 : 0;
      ignored += numbers[i] == kIgnored ? 1 : 0;
      // 0.4 around, 1 inside, and 0 comes in from outside; what lies between is blended on an edge.
      const float pixel = pixels[i];
      const int32_t seen = pixel == 1 ? 1 : pixel == 0 ? kIgnored : 0;
      if (seen == 0 && std::fabs(pixel - 0.4f) > 1e-6f) continue;
      ++clear;
      wrong += seen != numbers[i] ? 1 : 0;
    }
  }
  EXPECT_GT(ignored, all / 50);
  EXPECT_GT(dots, all / 10);
  EXPECT_GT(clear, all / 2);
  EXPECT_EQ(wrong, 0);
}

TEST_F(SegmentationFolderTest, SomeAugmentationsLeaveMasksBehind) {
  DataConfig config{.source = Source()};
  config.augment = AugmentConfig{.randaugment = RandAugment()};
  EXPECT_THAT(Pipeline::Open(config, 1).status().message(),
              HasSubstr("augment.randaugment: changes images and leaves their masks"));
  for (const MixConfig mix : {MixConfig{.mixup = 0.2}, MixConfig{.cutmix = 1}}) {
    config.augment = AugmentConfig{.mix = mix};
    EXPECT_THAT(Pipeline::Open(config, 1).status().message(),
                HasSubstr("augment.mixup, augment.cutmix: change images and leave their masks"));
  }
}

}  // namespace
}  // namespace headrace::data
