#include "headrace/data/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/data/test/numbered.h"
#include "headrace/data/view.h"

namespace headrace::data {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

std::vector<int32_t> All(const Dataset& dataset) {
  std::vector<int32_t> labels;
  for (int64_t i = 0; i < dataset.size(); ++i) labels.push_back(LabelsOf(*dataset.Get(i))[0]);
  return labels;
}

TEST(Split, ByCounts) {
  const Result<Splits> splits = Split(Numbered(10), {.train = 4, .eval = 3});
  ASSERT_TRUE(splits.ok());
  EXPECT_THAT(All(*splits->train), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(All(*splits->eval), ElementsAre(4, 5, 6));
  EXPECT_EQ(splits->eval->Where(0), "numbers, example 4");
}

TEST(Split, ByShares) {
  const auto sizes = [](int32_t size, SplitConfig config) {
    const Splits splits = *Split(Numbered(size), config);
    return std::pair(splits.train->size(), splits.eval->size());
  };
  EXPECT_EQ(sizes(5000, {.train = 0.8, .eval = 0.2}), std::pair(4000L, 1000L));
  EXPECT_EQ(sizes(100, {.train = 0.29, .eval = 0.71}), std::pair(29L, 71L));
  EXPECT_EQ(sizes(5, {.train = 0.5, .eval = 0.5}), std::pair(3L, 2L));
  EXPECT_EQ(sizes(7, {}), std::pair(7L, 0L));
}

TEST(Split, SaysWhatTheDataHolds) {
  EXPECT_EQ(
      Split(Numbered(10), {.train = 8, .eval = 3}).status().ToString(),
      "INVALID_ARGUMENT: numbers holds 10 examples, but the split asks for 8 to train and 3 to evaluate");
  EXPECT_FALSE(Split(Numbered(10), {.train = 1e300, .eval = 0}).ok());
}

TEST(Split, RefusesWhatIsNeitherCountsNorShares) {
  EXPECT_EQ((SplitConfig{.train = 0.8, .eval = 200}).Validate().message(),
            "0.8 is no number of examples; for shares of the data, train and eval must both be at most 1");
  EXPECT_EQ((SplitConfig{.train = 0.9, .eval = 0.2}).Validate().message(),
            "shares train 0.9 and eval 0.2 exceed the whole");
  EXPECT_TRUE((SplitConfig{.train = 0.7, .eval = 0.3}).Validate().ok());
}

TEST(View, ShuffledHoldsEveryExampleOnce) {
  const std::vector<int32_t> order = All(*Shuffled(Numbered(6), 7));
  EXPECT_THAT(order, UnorderedElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(order, All(*Shuffled(Numbered(6), 7)));
  EXPECT_NE(order, All(*Shuffled(Numbered(6), 8)));
}

}  // namespace
}  // namespace headrace::data
