#include "headrace/data/counter_random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace headrace::data {
namespace {

using ::testing::ElementsAre;

// The known answers that the paper's authors publish for philox4x32, 10 rounds.
TEST(Philox, KnownAnswers) {
  EXPECT_THAT(Philox4x32({0, 0, 0, 0}, {0, 0}), ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  EXPECT_THAT(Philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  EXPECT_THAT(Philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(CounterRandom, IsAFunctionOfSeedStreamAndPosition) {
  auto first = [](uint64_t seed, RandomStream stream, uint64_t position) {
    return CounterRandom(seed, stream, position).Next();
  };
  const uint64_t bits = first(7, RandomStream::kAugment, 12);
  EXPECT_EQ(bits, first(7, RandomStream::kAugment, 12));
  EXPECT_NE(bits, first(8, RandomStream::kAugment, 12));
  EXPECT_NE(bits, first(7, RandomStream::kShuffle, 12));
  EXPECT_NE(bits, first(7, RandomStream::kAugment, 13));
  EXPECT_NE(bits, first(7 + (uint64_t{1} << 32), RandomStream::kAugment, 12));
  EXPECT_NE(bits, first(7, RandomStream::kAugment, 12 + (uint64_t{1} << 32)));
}

TEST(CounterRandom, DoesNotRepeatFromBlockToBlock) {
  CounterRandom random(1, RandomStream::kAugment, 0);
  std::set<uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.Next());
  EXPECT_EQ(seen.size(), 1000u);
}

TEST(CounterRandom, UniformFillsItsRange) {
  constexpr int kDraws = 20000;
  double sum = 0;
  double least = 1e9;
  double most = -1e9;
  for (int position = 0; position < kDraws; ++position) {
    const double x = CounterRandom(3, RandomStream::kAugment, position).Uniform(-2, 4);
    sum += x;
    least = std::min(least, x);
    most = std::max(most, x);
  }
  EXPECT_GE(least, -2);
  EXPECT_LT(most, 4);
  EXPECT_LT(least, -1.99);
  EXPECT_GT(most, 3.99);
  EXPECT_NEAR(sum / kDraws, 1.0, 0.05);  // standard error 0.012
}

}  // namespace
}  // namespace headrace::data
