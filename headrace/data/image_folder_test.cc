#include "headrace/data/image_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "headrace/data/image.h"
#include "headrace/data/loader.h"
#include "headrace/data/pipeline.h"
#include "headrace/data/test/tensors.h"
#include "headrace/io/temporary_folder.h"

namespace headrace::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Png(int64_t height, int64_t width, int shade) {
  HostTensor picture({DType::kU8, {height, width, 3}});
  for (int64_t i = 0; i < picture.size(); ++i) picture.Set(i, static_cast<double>((shade + 7 * i) % 256));
  return *EncodePng(picture);
}

class ImageFolderTest : public ::testing::Test {
 protected:
  std::string path() const { return folder_ / "flowers"; }
  void Write(const std::string& key, std::string_view bytes) const {
    const std::filesystem::path file = std::filesystem::path(path()) / key;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
  }
  // Three classes of 4, 3 and 5 pictures.
  void WriteFlowers() const {
    for (int i = 0; i < 4; ++i) Write(fmt::format("daisy/{}.png", i), Png(20 + i, 30, i));
    for (int i = 0; i < 3; ++i) Write(fmt::format("rose/wild/{}.PNG", i), Png(31, 20 + i, 40 + i));
    for (int i = 0; i < 5; ++i) Write(fmt::format("tulip/{}.png", i), Png(25, 25, 80 + i));
  }
  ImageFolderSource Source() const {
    return {.path = path(), .image = {.size = {16, 16}}, .examples = {.classes = {}, .shuffle_seed = {}}};
  }
  std::string OpenError() const { return Source().Open().status().ToString(); }

  io::TemporaryFolder folder_;
};

TEST_F(ImageFolderTest, ClassesAreFoldersInTheOrderOfTheirNames) {
  WriteFlowers();
  Write("rose/notes.txt", "not looked at");
  Write("rose/.hidden.jpg", "nor this");
  Write(".cache/x.png", "nor this");
  const auto flowers = Source().Open();
  ASSERT_TRUE(flowers.ok()) << flowers.status().ToString();
  EXPECT_THAT((*flowers)->ClassNames(), ElementsAre("daisy", "rose", "tulip"));
  std::vector<int32_t> labels;
  for (int64_t i = 0; i < (*flowers)->size(); ++i) labels.push_back(*(*flowers)->KnownLabel(i));
  EXPECT_THAT(labels, ElementsAre(0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2));
  EXPECT_EQ((*flowers)->Where(4), path() + "/rose/wild/0.PNG");
  const Example example = *(*flowers)->Get(5);
  ASSERT_EQ(example.size(), 3u);
  EXPECT_EQ(example[0].tensor.type(), (TensorType{DType::kF32, {16, 16, 3}}));
  const HostTensor picture = *DecodeImage(io::AsBytes(Png(31, 21, 41)), "x");
  EXPECT_TRUE(Same(example[0].tensor, Source().image.Middle(picture)));
  EXPECT_EQ(example[1].tensor.At(0), 1);
  EXPECT_EQ(example[2].tensor.At(0), 1);
}

TEST_F(ImageFolderTest, TheOrderIsShuffledUnlessAskedNotTo) {
  WriteFlowers();
  ImageFolderSource source = Source();
  source.examples = ImageFolderSource().examples;
  const auto shuffled = *source.Open();
  std::vector<int32_t> labels;
  for (int64_t i = 0; i < shuffled->size(); ++i) labels.push_back(*shuffled->KnownLabel(i));
  EXPECT_FALSE(std::ranges::is_sorted(labels));
  EXPECT_THAT(shuffled->ClassNames(), ElementsAre("daisy", "rose", "tulip"));
}

TEST_F(ImageFolderTest, WhatCannotBeReadKeepsItsPlaceWithWeightZero) {
  WriteFlowers();
  Write("rose/wild/1.PNG", "hello");
  Write("tulip/2.png", Png(25, 25, 82).substr(0, 70));
  const auto flowers = *Source().Open();
  EXPECT_EQ(flowers->size(), 12);
  EXPECT_EQ(flowers->Skipped()->count(), 0);
  const auto batches = *EvalBatches::Create(flowers, 12);
  for (int time = 0; time < 2; ++time) {
    const Batch batch = *batches(0);
    EXPECT_THAT(batch.Find("weight")->data<float>(), ElementsAre(1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1));
    EXPECT_EQ(batch.Find("label")->At(9), 2);
    EXPECT_EQ(batch.Find("image")->At(5 * 16 * 16 * 3), 0);
  }
  EXPECT_EQ(flowers->Skipped()->count(), 2);
  EXPECT_THAT(
      flowers->Skipped()->Reasons(),
      ElementsAre(StartsWith(path() + "/rose/wild/1.PNG is not an image that can be read: JPEG, PNG,"),
                  StartsWith(path() + "/tulip/2.png is a damaged or incomplete PNG image: ")));
  EXPECT_EQ(flowers->Skipped()->Since(1).size(), 1u);
}

TEST_F(ImageFolderTest, AFileThatIsGoneEndsTheRun) {
  WriteFlowers();
  const auto flowers = *Source().Open();
  std::filesystem::remove(path() + "/daisy/0.png");
  const Status status = flowers->Get(0).status();
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("daisy/0.png"));
}

TEST_F(ImageFolderTest, SaysWhatIsWrongWithTheFolder) {
  EXPECT_EQ(OpenError(),
            fmt::format("NOT_FOUND: there is nothing in {}; expected PATH/CLASS/PICTURE.jpg (or .png), one "
                        "folder a class",
                        path()));
  Write("readme.txt", "flowers");
  EXPECT_THAT(OpenError(), HasSubstr("flowers has no class folders; expected PATH/CLASS/PICTURE.jpg"));
  WriteFlowers();
  Write("stray.jpg", "");
  EXPECT_THAT(OpenError(), HasSubstr("flowers/stray.jpg: a picture that lies in no class folder"));
  std::filesystem::remove(path() + "/stray.jpg");
  Write("tulip/9.webp", "");
  EXPECT_THAT(OpenError(),
              HasSubstr("tulip/9.webp: pictures of this kind are not read; convert it to JPEG or PNG"));
  std::filesystem::remove(path() + "/tulip/9.webp");
  Write("weeds/notes.txt", "");
  EXPECT_THAT(OpenError(), HasSubstr("flowers/weeds: a class folder without pictures"));
  std::filesystem::remove(path() + "/weeds/notes.txt");
  EXPECT_THAT(OpenError(), HasSubstr("flowers/weeds: a class folder without pictures")) << "an empty folder";
  std::filesystem::remove(path() + "/weeds");
  EXPECT_EQ(OpenError(), "OK");
  ImageFolderSource two = Source();
  two.examples.classes = 2;
  EXPECT_THAT(two.Open().status().message(),
              HasSubstr("tulip/0.png: label 2 is out of range; 2 classes allow 0 to 1"));
}

TEST_F(ImageFolderTest, TheHashIsOfNamesAndSizes) {
  WriteFlowers();
  const std::string before = (*Source().Open())->Sha256();
  EXPECT_EQ((*Source().Open())->Sha256(), before);
  Write("tulip/2.png", Png(26, 25, 82));
  EXPECT_NE((*Source().Open())->Sha256(), before);
}

DataConfig Augmented(ImageFolderSource source) {
  DataConfig config{.source = std::move(source), .split = {.train = 8, .eval = 4}};
  config.augment = AugmentConfig{
      .random_resized_crop = RandomResizedCrop(),
      .flip = 0.5,
      .color_jitter = ColorJitter{.brightness = 0.4, .contrast = 0.4, .saturation = 0.4, .hue = 0.1},
      .randaugment = RandAugment(),
      .mix = {.mixup = 0.2, .cutmix = 1}};
  config.normalize = NormalizeConfig{.preset = "imagenet"};
  return config;
}

TEST_F(ImageFolderTest, BatchesAreAFunctionOfSeedAndIndexForAnyNumberOfThreads) {
  WriteFlowers();
  Write("rose/wild/1.PNG", "hello");
  const DataConfig config = Augmented(Source());
  const Pipeline pipeline = *Pipeline::Open(config, 7);
  const TrainBatches batches = *pipeline.Train(5);
  EXPECT_EQ(batches.fields(), pipeline.TrainFields(5));
  for (int workers : {1, 3}) {
    Loader loader(*Pipeline::Open(config, 7)->Train(5), {.first = 2, .end = 8, .workers = workers});
    for (int64_t k = 2; k < 8; ++k) {
      const Batch batch = **loader.Next();
      const Batch want = *batches(k);
      ASSERT_EQ(batch.fields.size(), 5u);
      for (size_t f = 0; f < batch.fields.size(); ++f) {
        EXPECT_EQ(batch.fields[f].name, want.fields[f].name);
        EXPECT_TRUE(Same(batch.fields[f].tensor, want.fields[f].tensor)) << batch.fields[f].name << " " << k;
      }
    }
  }
  const Batch other = *(*Pipeline::Open(config, 8)->Train(5))(2);
  EXPECT_FALSE(Same(batches(2)->fields[0].tensor, other.fields[0].tensor));
}

TEST_F(ImageFolderTest, HeldOutImagesAreNormalizedAndNothingElse) {
  WriteFlowers();
  const Pipeline pipeline = *Pipeline::Open(Augmented(Source()), 7);
  const Example example = *pipeline.eval()->Get(0);  // the ninth picture: tulip/1.png
  HostTensor want = Source().image.Middle(*DecodeImage(io::AsBytes(Png(25, 25, 81)), "x"));
  Normalizer::Create({.preset = "imagenet"}, want.type())->Apply(want.mutable_data<float>());
  EXPECT_TRUE(Same(example[0].tensor, want));
}

}  // namespace
}  // namespace headrace::data
