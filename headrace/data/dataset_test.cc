#include "headrace/data/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/data/array_dataset.h"
#include "headrace/data/test/numbered.h"

namespace headrace::data {
namespace {

using ::testing::ElementsAre;

TEST(Dataset, GetChecksTheIndex) {
  const auto dataset = Numbered(3);
  EXPECT_EQ(dataset->Get(3).status().ToString(), "OUT_OF_RANGE: no example 3 in numbers, which holds 3");
  EXPECT_EQ(dataset->Get(-1).status().code(), Code::kOutOfRange);
  EXPECT_THAT(LabelsOf(*dataset->Get(2)), ElementsAre(2));
}

TEST(Dataset, CheckLabelsNamesTheFirstThatIsNoClass) {
  const auto dataset = Numbered(5);
  EXPECT_TRUE(CheckLabels(*dataset, 5).ok());
  EXPECT_EQ(CheckLabels(*dataset, 3).message(),
            "numbers, example 3: label 3 is out of range; 3 classes allow 0 to 2");
  const auto negative =
      *ArrayDataset::Create({.name = "n"}, {{"label", HostTensor::Of<int32_t>({2}, {0, -1})}});
  EXPECT_EQ(CheckLabels(*negative, 3).message(),
            "n, example 1: label -1 is out of range; 3 classes allow 0 to 2");
  const auto unlabelled = *ArrayDataset::Create({.name = "u"}, {{"x", HostTensor::Of<float>({1}, {0})}});
  EXPECT_TRUE(CheckLabels(*unlabelled, 1).ok());
}

TEST(ArrayDataset, DividesWhateverTheTypeOfTheValues) {
  const auto dataset =
      *ArrayDataset::Create({.name = "d"}, {{"a", HostTensor::Of<uint8_t>({2, 2}, {0, 255, 1, 2}), 255},
                                            {"b", HostTensor::Of<int64_t>({2}, {-6, 3}), 3},
                                            {"c", HostTensor::Of<double>({2}, {1, 0.5}), 1},
                                            {"d", HostTensor::Of<int32_t>({2}, {5, 6})}});
  const Result<Example> first = dataset->Get(0);
  ASSERT_TRUE(first.ok());
  EXPECT_THAT((*first)[0].tensor.data<float>(), ElementsAre(0, 1));
  EXPECT_THAT((*first)[1].tensor.data<float>(), ElementsAre(-2));
  EXPECT_THAT((*first)[2].tensor.data<float>(), ElementsAre(1));
  EXPECT_THAT((*first)[3].tensor.data<int32_t>(), ElementsAre(5));
  EXPECT_THAT((*dataset->Get(1))[0].tensor.data<float>(), ElementsAre(1 / 255.f, 2 / 255.f));
}

TEST(ArrayDataset, RefusesColumnsThatDoNotMatch) {
  const auto error_of = [](std::vector<Column> columns) {
    return ArrayDataset::Create({.name = "d"}, std::move(columns)).status().message();
  };
  EXPECT_EQ(error_of({}), "d has no fields");
  EXPECT_EQ(
      error_of({{"image", HostTensor({DType::kF32, {3, 2}})}, {"label", HostTensor({DType::kI32, {4}})}}),
      "d: label holds 4 examples, but image holds 3");
  EXPECT_EQ(error_of({{"x", HostTensor({DType::kF32, {}})}}), "d: x is a scalar");
  EXPECT_EQ(error_of({{"x", HostTensor({DType::kC64, {2}}), 2}}),
            "d: x holds complex numbers, expected real ones");
}

}  // namespace
}  // namespace headrace::data
