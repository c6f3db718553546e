// Files of every kind against the pixels that other software sees in them (tools/reference/images.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "headrace/data/image.h"
#include "headrace/data/test/tensors.h"
#include "headrace/io/hash.h"

namespace headrace::data {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string ReadSample(const std::string& name) {
  return ReadFile("headrace/data/testdata/image_fuzz/" + name);
}

Result<HostTensor> Decode(std::string_view bytes) { return DecodeImage(io::AsBytes(bytes), "x"); }

TEST(ImageFiles, ShowThePixelsThatOthersSee) {
  const auto expected = ReadNpz("image_pixels.npz");
  EXPECT_EQ(expected.size(), 67u);
  for (const auto& [name, want] : expected) {
    const Result<HostTensor> got = Decode(ReadSample(name));
    ASSERT_TRUE(got.ok()) << name << ": " << got.status().ToString();
    ASSERT_EQ(got->shape(), want.shape()) << name;
    EXPECT_THAT(got->data<uint8_t>(), ElementsAreArray(want.data<uint8_t>())) << name;
  }
}

// Gray levels and places in a palette, of 1 to 8 bits, as they stand in the file.
TEST(Masks, AreTheValuesBehindThePixels) {
  const auto shown = ReadNpz("image_pixels.npz");
  for (int bits : {1, 2, 4, 8}) {
    for (const char* way : {"", "_interlaced"}) {
      const int most = (1 << bits) - 1;
      const std::string gray = fmt::format("png_0_{}{}.png", bits, way);
      const HostTensor levels = *DecodeMask(io::AsBytes(ReadSample(gray)), "x");
      ASSERT_EQ(levels.shape(), shown.at(gray).shape()) << gray;
      for (int64_t i = 0; i < levels.size(); ++i)
        ASSERT_EQ(levels.At(i) * 255 / most, shown.at(gray).At(i)) << gray;

      const std::string coloured = fmt::format("png_3_{}{}.png", bits, way);
      const HostTensor places = *DecodeMask(io::AsBytes(ReadSample(coloured)), "x");
      const HostTensor& colours = shown.at(coloured);
      std::map<double, std::vector<double>> palette;  // one colour for each value
      for (int64_t i = 0; i < places.size(); ++i) {
        const std::vector<double> colour = {colours.At(3 * i), colours.At(3 * i + 1), colours.At(3 * i + 2)};
        EXPECT_EQ(palette.emplace(places.At(i), colour).first->second, colour) << coloured;
      }
      EXPECT_LE(palette.rbegin()->first, most);
      EXPECT_GT(palette.size(), 1u);
    }
  }
}

TEST(Masks, MayComeInThreeEqualColoursOrWithAlpha) {
  const HostTensor picture = HostTensor::Of<uint8_t>({1, 2, 3}, {4, 4, 4, 9, 9, 9});
  const HostTensor mask = *DecodeMask(io::AsBytes(*EncodePng(picture)), "x");
  EXPECT_EQ(mask.shape(), Shape({1, 2, 1}));
  EXPECT_EQ(mask.At(1), 9);
  EXPECT_EQ(DecodeMask(io::AsBytes(ReadSample("png_4_8.png")), "x")->shape()[2], 1);
}

TEST(Masks, SaysWhatIsNone) {
  const auto error = [](const std::string& name) {
    return DecodeMask(io::AsBytes(ReadSample(name)), name).status().ToString();
  };
  EXPECT_EQ(error("gray.jpg"), "INVALID_ARGUMENT: gray.jpg is no PNG file, as masks are");
  EXPECT_EQ(error("png_0_16.png"),
            "INVALID_ARGUMENT: png_0_16.png has values of 16 bits; masks have at most 8");
  EXPECT_EQ(error("png_6_8.png"),
            "INVALID_ARGUMENT: png_6_8.png has colours; a mask has one value a pixel, gray or a place in a "
            "palette");
  EXPECT_THAT(DecodeMask(io::AsBytes(ReadSample("png_3_4.png").substr(0, 90)), "x").status().ToString(),
              StartsWith("DATA_LOSS: x is a damaged or incomplete PNG image"));
}

TEST(ImageFiles, PhotographsAreAsPillowReadsThem) {
  // SHA-256 of numpy.asarray(PIL.Image.open(path)).tobytes()
  const std::map<std::string, std::string> pixels = {
      {"china.jpg", "e701459344fd69797154c91add3bb5d70e5ed1a61d8bed889bab3a796104698d"},
      {"flower.jpg", "3202904ed246795bf616c66d7859cd7c6080eff736c6e38dc5cc62779742033f"},
  };
  for (const auto& [name, want] : pixels) {
    const Result<HostTensor> photo = Decode(ReadFile(".deps/data/" + name));
    ASSERT_TRUE(photo.ok()) << name << ": " << photo.status().ToString();
    EXPECT_EQ(photo->shape(), Shape({427, 640, 3}));
    EXPECT_EQ(io::Sha256Hex(photo->bytes()), want) << name;
  }
}

TEST(Jpeg, SaysThatItIsCutWhereverItIsCut) {
  for (const std::string name : {"rgb_420.jpg", "progressive.jpg", "gray.jpg", "cmyk.jpg"}) {
    const std::string jpeg = ReadSample(name);
    // Without the last two bytes, the end mark, a picture of one scan is still whole.
    for (size_t size = 3; size + 3 < jpeg.size(); ++size) {
      const Status status = Decode(std::string_view(jpeg).substr(0, size)).status();
      ASSERT_EQ(status.code(), Code::kDataLoss) << name << " " << size << status.ToString();
      ASSERT_EQ(status.message(), "x is an incomplete JPEG image: its end is missing") << name << " " << size;
    }
  }
  const std::string jpeg = ReadSample("rgb_420.jpg");
  EXPECT_TRUE(Decode(std::string_view(jpeg).substr(0, jpeg.size() - 2)).ok());
}

TEST(Jpeg, SaysThatItIsDamaged) {
  std::string jpeg = ReadSample("rgb_420.jpg");
  const size_t scan = jpeg.find("\xFF\xDA");
  ASSERT_NE(scan, std::string::npos);
  jpeg[scan + 60] = '\xFF';  // an end of the data in the middle of it
  jpeg[scan + 61] = '\xD9';
  const Status status = Decode(jpeg).status();
  EXPECT_EQ(status.code(), Code::kDataLoss);
  EXPECT_THAT(status.message(), StartsWith("x is a damaged JPEG image: Corrupt JPEG data"));
}

TEST(Jpeg, SaysWhatKindIsNotRead) {
  std::string jpeg = ReadSample("rgb_420.jpg");
  const size_t frame = jpeg.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  std::string lossless = jpeg, deep = jpeg, large = jpeg;
  lossless[frame + 1] = '\xC3';
  EXPECT_EQ(Decode(lossless).status().code(), Code::kInvalidArgument);
  EXPECT_THAT(Decode(lossless).status().message(), HasSubstr("a JPEG image of a kind that cannot be read"));
  deep[frame + 4] = 12;
  EXPECT_THAT(Decode(deep).status().message(), HasSubstr("Unsupported JPEG data precision 12"));
  for (size_t i = 5; i < 9; ++i) large[frame + i] = '\x7F';
  EXPECT_EQ(Decode(large).status().message(), "x has 32639 x 32639 pixels; at most 67108864 in all are read");
}

TEST(Jpeg, LooksPastWhatChangesNoPixel) {
  const std::string jpeg = ReadSample("rgb_420.jpg");
  const size_t tables = jpeg.find("\xFF\xDB");
  std::string padded = jpeg;
  padded.insert(tables, "stray");  // libjpeg warns of extraneous bytes
  const Result<HostTensor> picture = Decode(padded);
  ASSERT_TRUE(picture.ok()) << picture.status().ToString();
  EXPECT_THAT(picture->data<uint8_t>(), ElementsAreArray(Decode(jpeg)->data<uint8_t>()));
}

}  // namespace
}  // namespace headrace::data
