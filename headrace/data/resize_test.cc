#include "headrace/data/resize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "headrace/data/test/tensors.h"

namespace headrace::data {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

TEST(Resize, GivesThePixelsOfPillow) {  // tools/reference/images.py
  const auto arrays = ReadNpz("resize_pixels.npz");
  const HostTensor& cases = arrays.at("cases");
  EXPECT_EQ(cases.shape(), Shape({40, 7}));
  for (int64_t i = 0; i < cases.shape()[0]; ++i) {
    const auto number = cases.data<int64_t>().subspan(i * 7, 7);
    const Box box{.top = number[1], .left = number[2], .height = number[3], .width = number[4]};
    const std::string name = i % 4 == 0 ? "gray" : "colour";
    const HostTensor got = Resize(arrays.at(name), box, number[5], number[6],
                                  number[0] == 1 ? Interpolation::kBicubic : Interpolation::kBilinear);
    const HostTensor& want = arrays.at(fmt::format("{}_{}", name, i));
    ASSERT_EQ(got.shape(), want.shape());
    EXPECT_THAT(got.data<uint8_t>(), ElementsAreArray(want.data<uint8_t>())) << name << " " << i;
  }
}

TEST(Resize, AveragesWhereItShrinksAndInterpolatesWhereItGrows) {
  const HostTensor line = HostTensor::Of<uint8_t>({1, 2, 1}, {0, 80});
  EXPECT_THAT(Resize(line, WholeOf(line), 1, 1, Interpolation::kBilinear).data<uint8_t>(), ElementsAre(40));
  EXPECT_THAT(Resize(line, WholeOf(line), 1, 4, Interpolation::kBilinear).data<uint8_t>(),
              ElementsAre(0, 20, 60, 80));
}

TEST(Resize, TheNearestIsThePixelThatTheCentreLiesIn) {
  const HostTensor line = HostTensor::Of<uint8_t>({1, 5, 1}, {10, 20, 30, 40, 250});
  const auto nearest = [&](int64_t width) {
    const HostTensor resized = Resize(line, WholeOf(line), 1, width, Interpolation::kNearest);
    return std::vector<uint8_t>(resized.data<uint8_t>().begin(), resized.data<uint8_t>().end());
  };
  EXPECT_THAT(nearest(1), ElementsAre(30));
  EXPECT_THAT(nearest(2), ElementsAre(20, 40));  // centres at 1.25 and 3.75
  EXPECT_THAT(nearest(3), ElementsAre(10, 30, 250));
  EXPECT_THAT(nearest(5), ElementsAre(10, 20, 30, 40, 250));
  EXPECT_THAT(nearest(10), ElementsAre(10, 10, 20, 20, 30, 30, 40, 40, 250, 250));
}

TEST(Resize, NeverLooksBeyondTheBox) {
  HostTensor picture({DType::kU8, {9, 9, 1}});
  for (int64_t i = 0; i < picture.size(); ++i) picture.Set(i, i % 9 < 4 ? 10 : 200);
  const Box left{.top = 0, .left = 0, .height = 9, .width = 4};
  EXPECT_THAT(Resize(picture, left, 5, 7, Interpolation::kBicubic).data<uint8_t>(), Each(10));
}

}  // namespace
}  // namespace headrace::data
