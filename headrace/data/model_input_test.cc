#include "headrace/data/model_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/data/test/tensors.h"

namespace headrace::data {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

HostTensor Stripes() {
  HostTensor picture({DType::kU8, {8, 16, 3}});
  for (int64_t i = 0; i < picture.size(); ++i) picture.Set(i, (i / 3) % 16 < 8 ? 51 : 255);
  return picture;
}

TEST(ModelInput, FitsPicturesAsTheFolderOfItsRun) {
  const ImageFit fit{.size = {4, 4}, .resize = 6};
  const DataConfig config{.source = ImageFolderSource{.path = "gone", .image = fit},
                          .normalize = NormalizeConfig{.preset = "inception"}};
  const Result<ModelInput> input = ModelInput::Create(config, {"image", {DType::kF32, {4, 4, 3}}});
  ASSERT_TRUE(input.ok()) << input.status().ToString();
  EXPECT_TRUE(input->is_picture());
  EXPECT_TRUE(input->fits_pictures());
  const HostTensor x = *input->FromPicture(Stripes());
  const HostTensor middle = fit.Middle(Stripes());
  for (int64_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x.At(i), 2 * middle.At(i) - 1, 1e-5);
  EXPECT_NEAR(input->ToPicture(x).At(0), 51, 1);
}

TEST(ModelInput, SqueezesPicturesForOtherSources) {
  const DataConfig config{.source = NpySource{.images = "gone.npy", .scale = 255}};
  const ModelInput input = *ModelInput::Create(config, {"image", {DType::kF32, {1, 2, 1}}});
  EXPECT_FALSE(input.fits_pictures());
  const HostTensor x = *input.FromPicture(HostTensor::Of<uint8_t>({1, 2, 1}, {51, 255}));
  EXPECT_THAT(x.data<float>(), Pointwise(FloatNear(1e-6), {0.2f, 1.0f}));
  EXPECT_THAT(input.ToPicture(x).data<uint8_t>(), ElementsAre(51, 255));
  const HostTensor values = HostTensor::Of<float>({1, 2, 1}, {0, 127.5});
  EXPECT_THAT(input.FromValues(values).data<float>(), Pointwise(FloatNear(1e-6), {0.0f, 0.5f}));
}

TEST(ModelInput, FeaturesAreNoPictures) {
  const ModelInput input = *ModelInput::Create({}, {"features", {DType::kF32, {4}}});
  EXPECT_FALSE(input.is_picture());
  const DataConfig normalized{.normalize = NormalizeConfig{.preset = "imagenet"}};
  EXPECT_THAT(ModelInput::Create(normalized, {"features", {DType::kF32, {4}}}).status().message(),
              HasSubstr("normalize: images are f32[4]"));
}

}  // namespace
}  // namespace headrace::data
