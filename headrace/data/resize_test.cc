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

TEST(Resize, NeverLooksBeyondTheBox) {
  HostTensor picture({DType::kU8, {9, 9, 1}});
  for (int64_t i = 0; i < picture.size(); ++i) picture.Set(i, i % 9 < 4 ? 10 : 200);
  const Box left{.top = 0, .left = 0, .height = 9, .width = 4};
  EXPECT_THAT(Resize(picture, left, 5, 7, Interpolation::kBicubic).data<uint8_t>(), Each(10));
}

}  // namespace
}  // namespace headrace::data
