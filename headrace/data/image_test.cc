#include "headrace/data/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headrace::data {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

HostTensor Gradient(const Shape& shape) {
  std::vector<uint8_t> values(shape.ElementCount());
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<uint8_t>(i * 37);
  return HostTensor::Of<uint8_t>(shape, values);
}

Status DecodeError(std::string_view bytes) {
  const Result<HostTensor> picture = DecodeImage(io::AsBytes(bytes), "x.png");
  EXPECT_FALSE(picture.ok());
  return picture.status();
}

TEST(Image, PngKeepsEveryPixel) {
  for (const Shape& shape : {Shape({1, 1, 1}), Shape({5, 7, 1}), Shape({5, 7, 3}), Shape({28, 28, 1})}) {
    const HostTensor picture = Gradient(shape);
    const Result<std::string> png = EncodePng(picture);
    ASSERT_TRUE(png.ok()) << png.status().ToString();
    const Result<HostTensor> back = DecodeImage(io::AsBytes(*png), "x.png");
    ASSERT_TRUE(back.ok()) << back.status().ToString();
    EXPECT_EQ(back->shape(), shape);
    EXPECT_THAT(back->data<uint8_t>(), ElementsAreArray(picture.data<uint8_t>()));
  }
}

TEST(Image, EncodesOnlyPictures) {
  EXPECT_EQ(EncodePng(HostTensor({DType::kF32, {2, 2, 1}})).status().message(),
            "a PNG image is u8[height, width, 1 or 3], not f32[2, 2, 1]");
  EXPECT_FALSE(EncodePng(HostTensor({DType::kU8, {2, 2}})).ok());
  EXPECT_FALSE(EncodePng(HostTensor({DType::kU8, {2, 2, 4}})).ok());
  EXPECT_FALSE(EncodePng(HostTensor({DType::kU8, {0, 2, 1}})).ok());
}

TEST(Image, SaysWhatIsNoImage) {
  EXPECT_EQ(DecodeError("").ToString(), "INVALID_ARGUMENT: x.png is empty");
  EXPECT_EQ(DecodeError("hello").ToString(),
            "INVALID_ARGUMENT: x.png is not an image that can be read: JPEG, PNG, PGM (P5) or PPM (P6)");
}

TEST(Image, SaysWhatIsDamagedWhereverItIsCut) {
  const std::string png = *EncodePng(Gradient({5, 7, 3}));
  for (size_t size = 8; size < png.size() - 12; ++size) {  // the last 12 bytes are the end mark
    const Status status = DecodeError(std::string_view(png).substr(0, size));
    ASSERT_EQ(status.code(), Code::kDataLoss) << size;
    ASSERT_THAT(status.message(), StartsWith("x.png is a damaged or incomplete PNG image: ")) << size;
  }
  std::string flipped = png;
  flipped[png.size() - 20] ^= 1;
  EXPECT_EQ(DecodeError(flipped).code(), Code::kDataLoss);
}

TEST(Image, ReadsNetpbm) {
  const std::string_view gray = "P5\n# a comment\n3 2\n255\n\x01\x02\x03\x04\x05\x06";
  const Result<HostTensor> picture = DecodeImage(io::AsBytes(gray), "x.pgm");
  ASSERT_TRUE(picture.ok()) << picture.status().ToString();
  EXPECT_EQ(picture->shape(), Shape({2, 3, 1}));
  EXPECT_THAT(picture->data<uint8_t>(), ElementsAre(1, 2, 3, 4, 5, 6));
  const Result<HostTensor> colour = DecodeImage(io::AsBytes("P6 1 1 15\n\x0f\x05\x01"), "x.ppm");
  ASSERT_TRUE(colour.ok()) << colour.status().ToString();
  EXPECT_THAT(colour->data<uint8_t>(), ElementsAre(255, 85, 17));
}

TEST(Image, SaysWhatIsWrongWithNetpbm) {
  EXPECT_EQ(DecodeError("P5 3 2 255\nabc").ToString(),
            "DATA_LOSS: x.png is an incomplete PGM or PPM image: 3 of 6 bytes of pixels");
  EXPECT_THAT(DecodeError("P5 3 x").message(),
              HasSubstr("its header is not width, height and largest value"));
  EXPECT_EQ(DecodeError("P5 3 2 65535\n").message(), "x.png holds values up to 65535; only 8 bits are read");
  EXPECT_THAT(DecodeError("P5 999999999 999999999 255\n").message(), HasSubstr("at most 67108864 in all"));
}

TEST(FitImage, MakesColourGrayAndGrayColour) {
  const HostTensor colour = HostTensor::Of<uint8_t>({1, 2, 3}, {255, 0, 0, 10, 10, 10});
  const Result<HostTensor> gray = FitImage(colour, {1, 2, 1}, 1);
  ASSERT_TRUE(gray.ok());
  EXPECT_THAT(gray->data<float>(), ElementsAre(76, 10));
  EXPECT_THAT(FitImage(HostTensor::Of<uint8_t>({1, 1, 1}, {51}), {2, 1, 3}, 255)->data<float>(), Each(0.2f));
}

TEST(FitImage, KeepsWhatFitsAlready) {
  const HostTensor picture = Gradient({4, 4, 1});
  const Result<HostTensor> image = FitImage(picture, {4, 4, 1}, 255);
  ASSERT_TRUE(image.ok());
  for (int64_t i = 0; i < picture.size(); ++i)
    EXPECT_EQ(image->At(i), static_cast<float>(picture.At(i)) / 255.0f);
}

TEST(FitImage, SaysWhatItTakes) {
  EXPECT_EQ(FitImage(Gradient({2, 2, 1}), {4, 4}, 1).status().message(),
            "an image cannot be fitted to shape [4, 4]; it must be [height, width, 1 or 3]");
  EXPECT_EQ(FitImage(HostTensor({DType::kF32, {2, 2, 1}}), {4, 4, 1}, 1).status().message(),
            "an image to fit is u8[height, width, 1 or 3], not f32[2, 2, 1]");
}

TEST(Inverted, TurnsInkIntoLight) {
  EXPECT_THAT(Inverted(HostTensor::Of<uint8_t>({1, 3, 1}, {0, 255, 100})).data<uint8_t>(),
              ElementsAre(255, 0, 155));
}

}  // namespace
}  // namespace headrace::data
