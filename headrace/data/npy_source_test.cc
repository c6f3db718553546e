#include "headrace/data/npy_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/io/hash.h"
#include "headrace/io/store.h"
#include "headrace/tensor/npy.h"

namespace headrace::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kFolder = "mem://npy";

// Writes an array as mem://npy/KEY; its path.
std::string Written(const std::string& key, const HostTensor& array) {
  auto store = io::OpenStore(kFolder);
  EXPECT_TRUE((*store)->Write(key, io::AsBytes(*EncodeNpy(array))).ok());
  return fmt::format("{}/{}", kFolder, key);
}

std::string ErrorOf(const NpySource& source) {
  const auto dataset = source.Open();
  EXPECT_FALSE(dataset.ok());
  return dataset.status().message();
}

TEST(NpySource, OpensImagesAndLabels) {
  const HostTensor images = HostTensor::Of<uint8_t>({2, 1, 2}, {0, 51, 255, 102});
  const HostTensor labels = HostTensor::Of<int64_t>({2, 1}, {7, 3});
  const auto dataset =
      NpySource{.images = Written("i.npy", images), .labels = Written("l.npy", labels), .scale = 255}.Open();
  ASSERT_TRUE(dataset.ok()) << dataset.status().ToString();
  EXPECT_THAT((*dataset)->fields(), ElementsAre(NamedType{"image", {DType::kF32, {1, 2, 1}}},
                                                NamedType{"label", {DType::kI32, {}}}));
  const Result<Example> last = (*dataset)->Get(1);
  EXPECT_THAT((*last)[0].tensor.data<float>(), ElementsAre(1, 102 / 255.f));
  EXPECT_THAT((*last)[1].tensor.data<int32_t>(), ElementsAre(3));
  EXPECT_EQ((*dataset)->Where(1), "mem://npy/i.npy, example 1");
  EXPECT_EQ((*dataset)->Sha256(), io::Sha256Hex(io::AsBytes(*EncodeNpy(images) + *EncodeNpy(labels))));
}

TEST(NpySource, FeaturesOfAnyRealTypeBecomeF32) {
  const auto open = [](const HostTensor& array) {
    const auto dataset = NpySource{.features = Written("f.npy", array)}.Open();
    EXPECT_TRUE(dataset.ok()) << dataset.status().ToString();
    const Result<Example> last = (*dataset)->Get(1);
    const auto values = (*last)[0].tensor.data<float>();
    return std::vector(values.begin(), values.end());
  };
  EXPECT_THAT(open(HostTensor::Of<double>({2, 2}, {1, 2, 3, 4.5})), ElementsAre(3, 4.5));
  EXPECT_THAT(open(HostTensor::Of<float>({2}, {1, -2})), ElementsAre(-2));
  EXPECT_THAT(open(HostTensor::Of<uint16_t>({2, 1}, {1, 65535})), ElementsAre(65535));
  EXPECT_THAT(open(HostTensor::Of<float>({2, 1}, {1, 0.5}).ConvertTo(DType::kF16)), ElementsAre(0.5));
}

TEST(NpySource, SaysWhenCountsDiffer) {
  const std::string images = Written("i3.npy", HostTensor({DType::kU8, {3, 2, 2}}));
  const std::string labels = Written("l4.npy", HostTensor({DType::kI32, {4}}));
  EXPECT_EQ(ErrorOf({.images = images, .labels = labels}),
            "mem://npy/l4.npy holds 4 labels, but mem://npy/i3.npy holds 3 examples");
}

TEST(NpySource, SaysWhatAnArrayShouldBe) {
  const std::string flat = Written("flat.npy", HostTensor({DType::kU8, {3, 4}}));
  EXPECT_EQ(
      ErrorOf({.images = flat}),
      "mem://npy/flat.npy is u8[3, 4], expected images as [examples, height, width] or with channels behind");
  EXPECT_EQ(ErrorOf({.features = flat, .labels = flat}),
            "mem://npy/flat.npy is u8[3, 4], expected one integer for each example");
  const std::string floats = Written("floats.npy", HostTensor({DType::kF32, {3}}));
  EXPECT_EQ(ErrorOf({.features = flat, .labels = floats}),
            "mem://npy/floats.npy is f32[3], expected one integer for each example");
  EXPECT_EQ(ErrorOf({.features = Written("scalar.npy", HostTensor::Scalar(1.0f))}),
            "mem://npy/scalar.npy holds one number, not an array of examples");
  EXPECT_EQ(ErrorOf({.features = Written("complex.npy", HostTensor({DType::kC64, {3}}))}),
            "mem://npy/complex.npy: features holds complex numbers, expected real ones");
  const std::string large = Written("large.npy", HostTensor::Of<int64_t>({3}, {0, 1, int64_t{1} << 32}));
  EXPECT_EQ(ErrorOf({.features = flat, .labels = large}),
            "mem://npy/large.npy, example 2: the label 4294967296 does not fit i32");
}

TEST(NpySource, NamesTheFileThatIsMissingEmptyOrCutShort) {
  EXPECT_THAT(ErrorOf({.images = "mem://npy/none.npy"}), HasSubstr("mem://npy/none.npy"));
  auto store = io::OpenStore(kFolder);
  ASSERT_TRUE((*store)->Write("empty.npy", {}).ok());
  EXPECT_EQ(ErrorOf({.images = "mem://npy/empty.npy"}), "mem://npy/empty.npy is empty");
  const std::string whole = *EncodeNpy(HostTensor({DType::kU8, {3, 4, 4}}));
  ASSERT_TRUE((*store)->Write("cut.npy", io::AsBytes(whole).first(whole.size() - 1)).ok());
  EXPECT_THAT(ErrorOf({.images = "mem://npy/cut.npy"}), HasSubstr("mem://npy/cut.npy: "));
}

TEST(NpySource, NeedsImagesOrFeatures) {
  EXPECT_EQ(ErrorOf({}), "npy needs either images or features");
  EXPECT_EQ(ErrorOf({.images = "a", .features = "b"}), "npy needs either images or features, not both");
}

}  // namespace
}  // namespace headrace::data
