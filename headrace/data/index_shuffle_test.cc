#include "headrace/data/index_shuffle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

namespace headrace::data {
namespace {

using ::testing::ElementsAre;

std::vector<int64_t> Order(int64_t n, uint64_t seed, int64_t epoch) {
  const IndexShuffle shuffle(n, seed, epoch);
  std::vector<int64_t> order(n);
  for (int64_t k = 0; k < n; ++k) order[k] = shuffle(k);
  return order;
}

// Sum of (count - expected)² / expected.
double ChiSquare(const std::vector<int>& counts, double expected) {
  double sum = 0;
  for (int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(IndexShuffle, IsAPermutation) {
  for (int64_t n : {1,   2,   3,   5,    7,    15,   16,   17,   97,    127,   128,   129,
                    255, 256, 257, 1000, 4000, 4095, 4096, 4097, 65535, 65536, 65537, 99991}) {
    std::vector<bool> seen(n, false);
    for (int64_t index : Order(n, 7, 3)) {
      ASSERT_GE(index, 0);
      ASSERT_LT(index, n);
      ASSERT_FALSE(seen[index]) << index << " twice among " << n;
      seen[index] = true;
    }
  }
}

TEST(IndexShuffle, ReachesFarPlacesOfHugeDatasets) {
  const int64_t n = (int64_t{1} << 40) + 1;
  const IndexShuffle shuffle(n, 1, 0);
  for (int64_t k : {int64_t{0}, n / 2, n - 1}) {
    EXPECT_GE(shuffle(k), 0);
    EXPECT_LT(shuffle(k), n);
  }
}

TEST(IndexShuffle, DiffersByEpochAndSeed) {
  EXPECT_EQ(Order(100, 7, 0), Order(100, 7, 0));
  EXPECT_NE(Order(100, 7, 0), Order(100, 7, 1));
  EXPECT_NE(Order(100, 7, 0), Order(100, 8, 0));
}

// What a seed means never changes: a run that is resumed with a newer version must see the same examples.
TEST(IndexShuffle, GoldenOrders) {
  EXPECT_THAT(Order(10, 0, 0), ElementsAre(1, 9, 0, 7, 5, 6, 4, 3, 8, 2));
  EXPECT_THAT(Order(10, 7, 1), ElementsAre(7, 5, 3, 8, 4, 6, 2, 0, 1, 9));
  const IndexShuffle shuffle(4000, 7, 0);
  EXPECT_THAT((std::vector{shuffle(0), shuffle(1), shuffle(2), shuffle(3999)}),
              ElementsAre(2734, 3231, 3200, 2779));
  const IndexShuffle huge(int64_t{1} << 40, 7, 0);
  EXPECT_THAT((std::vector{huge(0), huge(1)}), ElementsAre(700627702276, 958385743790));
}

// Where index 0 … n-1 lands over many epochs. The bounds are the 99.9 % points of chi-square; seeds are
// fixed.
TEST(IndexShuffle, EveryIndexLandsInEveryPlaceEquallyOften) {
  constexpr int kEpochs = 2000;
  for (int n : {3, 10, 29}) {
    std::vector<int> counts(n * n);
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
      const std::vector<int64_t> order = Order(n, 11, epoch);
      for (int k = 0; k < n; ++k) ++counts[k * n + order[k]];
    }
    const double freedom = (n - 1) * (n - 1);
    const double bound = freedom + 3.1 * std::sqrt(2 * freedom) + 6;
    EXPECT_LT(ChiSquare(counts, static_cast<double>(kEpochs) / n), bound) << "n = " << n;
  }
}

TEST(IndexShuffle, EveryOrderOfFourIsEquallyLikely) {
  constexpr int kEpochs = 24000;
  std::map<std::vector<int64_t>, int> counts;
  for (int epoch = 0; epoch < kEpochs; ++epoch) ++counts[Order(4, 5, epoch)];
  ASSERT_EQ(counts.size(), 24u);
  std::vector<int> values;
  for (const auto& [order, count] : counts) values.push_back(count);
  EXPECT_LT(ChiSquare(values, 1000), 49.7);  // 23 degrees of freedom
}

// Neighbours are torn apart: consecutive places hold indices whose distance is spread like that of a random
// pair.
TEST(IndexShuffle, NeighboursAreUnrelated) {
  constexpr int kN = 65537;
  constexpr int kBins = 16;
  const std::vector<int64_t> order = Order(kN, 3, 0);
  std::vector<int> counts(kBins);
  for (int k = 0; k + 1 < kN; ++k) {
    const int64_t distance = (order[k + 1] - order[k] + kN) % kN;
    ++counts[distance * kBins / kN];
  }
  EXPECT_LT(ChiSquare(counts, static_cast<double>(kN - 1) / kBins), 37.7);  // 15 degrees of freedom
}

}  // namespace
}  // namespace headrace::data
