// Colors and RandAugment against torchvision (tools/reference/augmentation.py).
#include "headrace/data/color.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "headrace/data/rand_augment.h"
#include "headrace/data/test/tensors.h"

namespace headrace::data {
namespace {

using Change = std::function<void(const Shape& shape, std::span<float> pixels, double amount)>;

const std::map<std::string, Change> kChanges = {
    {"brightness",
     [](const Shape&, std::span<float> p, double x) { AdjustBrightness(p, static_cast<float>(x)); }},
    {"contrast",
     [](const Shape&, std::span<float> p, double x) { AdjustContrast(p, 3, static_cast<float>(x)); }},
    {"saturation",
     [](const Shape&, std::span<float> p, double x) { AdjustSaturation(p, 3, static_cast<float>(x)); }},
    {"sharpness",
     [](const Shape& s, std::span<float> p, double x) { AdjustSharpness(s, p, static_cast<float>(x)); }},
    {"hue", [](const Shape&, std::span<float> p, double x) { AdjustHue(p, 3, static_cast<float>(x)); }},
    {"posterize", [](const Shape&, std::span<float> p, double x) { Posterize(p, static_cast<int>(x)); }},
    {"solarize", [](const Shape&, std::span<float> p, double x) { Solarize(p, static_cast<float>(x)); }},
    {"autocontrast", [](const Shape&, std::span<float> p, double) { AutoContrast(p, 3); }},
    {"equalize", [](const Shape&, std::span<float> p, double) { Equalize(p, 3); }},
    {"ShearX", [](const Shape& s, std::span<float> p, double x) { ApplyRandAugmentKind(1, x, s, p); }},
    {"ShearY", [](const Shape& s, std::span<float> p, double x) { ApplyRandAugmentKind(2, x, s, p); }},
    {"TranslateX", [](const Shape& s, std::span<float> p, double x) { ApplyRandAugmentKind(3, x, s, p); }},
    {"TranslateY", [](const Shape& s, std::span<float> p, double x) { ApplyRandAugmentKind(4, x, s, p); }},
    {"Rotate", [](const Shape& s, std::span<float> p, double x) { ApplyRandAugmentKind(5, x, s, p); }},
};

TEST(Color, EqualsTorchvision) {
  const auto arrays = ReadNpz("augmentation.npz");
  const HostTensor& image = arrays.at("image");
  EXPECT_EQ(arrays.size(), 37u);
  for (const auto& [name, want] : arrays) {
    if (name == "image") continue;
    const size_t underscore = name.find('_');
    HostTensor got = HostTensor::CopyOf(image.type(), image.bytes());
    kChanges.at(name.substr(0, underscore))(image.shape(), got.mutable_data<float>(),
                                            std::stod(name.substr(underscore + 1)));
    for (int64_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got.At(i), want.At(i), 2e-6) << name << " " << i;
  }
}

TEST(Color, GrayImagesHaveNoHue) {
  std::vector<float> pixels = {0.1f, 0.7f, 1.0f};
  const std::vector<float> before = pixels;
  AdjustHue(pixels, 1, 0.3f);
  AdjustSaturation(pixels, 1, 0.3f);
  EXPECT_EQ(pixels, before);
  AdjustContrast(pixels, 1, 0);
  EXPECT_THAT(pixels, ::testing::Each(::testing::FloatNear(0.6f, 1e-6)));
}

TEST(RandAugment, KindsDoWhatTheyAreCalled) {
  const auto arrays = ReadNpz("augmentation.npz");
  const HostTensor& image = arrays.at("image");
  const auto changed = [&](size_t kind, double strength) {
    HostTensor result = HostTensor::CopyOf(image.type(), image.bytes());
    ApplyRandAugmentKind(kind, strength, image.shape(), result.mutable_data<float>());
    return result;
  };
  const auto plainly = [&](const Change& change, double amount) {
    HostTensor result = HostTensor::CopyOf(image.type(), image.bytes());
    change(image.shape(), result.mutable_data<float>(), amount);
    return result;
  };
  ASSERT_EQ(kRandAugmentKinds.size(), 14u);
  EXPECT_TRUE(Same(changed(0, 0.5), image));
  EXPECT_TRUE(Same(changed(6, -0.5), plainly(kChanges.at("brightness"), 0.55)));
  EXPECT_TRUE(Same(changed(7, 1), plainly(kChanges.at("saturation"), 1.9)));
  EXPECT_TRUE(Same(changed(8, 0.5), plainly(kChanges.at("contrast"), 1.45)));
  EXPECT_TRUE(Same(changed(9, 0.5), plainly(kChanges.at("sharpness"), 1.45)));
  EXPECT_TRUE(Same(changed(10, -0.3), plainly(kChanges.at("posterize"), 7)));
  EXPECT_TRUE(Same(changed(11, 0.3), plainly(kChanges.at("solarize"), 0.7)));
  EXPECT_TRUE(Same(changed(12, 1), plainly(kChanges.at("autocontrast"), 0)));
  EXPECT_TRUE(Same(changed(13, 1), plainly(kChanges.at("equalize"), 0)));
}

}  // namespace
}  // namespace headrace::data
