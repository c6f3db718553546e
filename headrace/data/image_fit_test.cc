#include "headrace/data/image_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/data/test/tensors.h"

namespace headrace::data {
namespace {

using ::testing::HasSubstr;

HostTensor Transposed(const HostTensor& picture) {
  const int64_t height = picture.shape()[0], width = picture.shape()[1];
  HostTensor turned({DType::kU8, {width, height, 3}});
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      for (int64_t c = 0; c < 3; ++c)
        turned.Set((x * height + y) * 3 + c, picture.At((y * width + x) * 3 + c));
    }
  }
  return turned;
}

TEST(ImageFit, MiddlesAreThoseOfTorchvision) {  // tools/reference/augmentation.py
  const auto arrays = ReadNpz("middles.npz");
  EXPECT_EQ(arrays.size(), 9u);
  for (const auto& [name, want] : arrays) {
    if (name == "picture") continue;
    int resize = 0, size = 0, tall = 0;
    ASSERT_EQ(std::sscanf(name.c_str(), "%d_%d_%d", &resize, &size, &tall), 3);
    const HostTensor& picture = arrays.at("picture");
    const ImageFit fit{.size = {size, size}, .resize = resize};
    const HostTensor got = fit.Middle(tall != 0 ? Transposed(picture) : picture);
    ASSERT_EQ(got.shape(), want.shape()) << name;
    for (int64_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(std::lround(got.At(i) * 255), want.At(i)) << name << " " << i;
  }
}

TEST(ImageFit, ByDefaultTheImageIsJustCovered) {
  HostTensor picture({DType::kU8, {10, 30, 3}});
  for (int64_t i = 0; i < picture.size(); ++i) picture.Set(i, (i / 3) % 30 < 15 ? 0 : 255);
  for (const auto& [height, width] :
       {std::pair(5, 5), std::pair(5, 15), std::pair(2, 15), std::pair(20, 7)}) {
    const ImageFit fit{.size = {height, width}};
    const HostTensor image = fit.Middle(picture);
    EXPECT_EQ(image.shape(), Shape({height, width, 3}));
    EXPECT_EQ(image.At(0), 0) << height << " " << width;
    EXPECT_EQ(image.At(image.size() - 1), 1) << height << " " << width;
  }
}

TEST(ImageFit, MakesGrayOfColorsAndColorsOfGray) {
  const HostTensor red = HostTensor::Of<uint8_t>({1, 1, 3}, {255, 0, 0});
  EXPECT_EQ((ImageFit{.size = {1, 1}, .channels = 1}.Middle(red).At(0)), 76 / 255.0f);
  const HostTensor gray = HostTensor::Of<uint8_t>({1, 1, 1}, {51});
  EXPECT_THAT((ImageFit{.size = {1, 1}}.Middle(gray).data<float>()), ::testing::Each(0.2f));
}

TEST(ImageFit, SaysWhatCannotBe) {
  const auto error_of = [](std::string_view text) {
    ImageFit fit;
    return config::Load(text, "run.yaml", {}, fit).message();
  };
  EXPECT_THAT(error_of("{size: [224]}"), HasSubstr("must be height and width"));
  EXPECT_THAT(error_of("{channels: 2}"), HasSubstr("must be 3 or 1"));
  EXPECT_THAT(error_of("{size: [224, 224], resize: 200}"),
              HasSubstr("200 is too small to cut 224 x 224 out of it"));
  EXPECT_THAT(error_of("{interpolation: nearest}"), HasSubstr("bilinear"));
}

}  // namespace
}  // namespace headrace::data
