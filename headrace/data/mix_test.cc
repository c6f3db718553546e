#include "headrace/data/mix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/data/dataset.h"

namespace headrace::data {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kCount = 4, kHeight = 6, kWidth = 8;

// Images all of whose pixels are 10 times the example's number, labels of that number.
std::vector<NamedTensor> Fields() {
  std::vector<NamedTensor> fields;
  HostTensor images({DType::kF32, {kCount, kHeight, kWidth, 1}});
  for (int64_t i = 0; i < images.size(); ++i) {
    const int64_t image = i / (kHeight * kWidth);
    images.Set(i, static_cast<double>(10 * image));
  }
  fields.push_back({"image", std::move(images)});
  fields.push_back({"label", HostTensor::Of<int32_t>({kCount}, {0, 1, 2, 3})});
  for (const NamedType& more : Mixer::MoreFields(kCount))
    fields.push_back({more.name, HostTensor(more.type)});
  return fields;
}

TEST(Mixer, MixupBlendsEachWithTheOneBefore) {
  std::vector<NamedTensor> fields = Fields();
  Mixer({.mixup = 0.5}, 3)(0, fields);
  EXPECT_THAT(fields[2].tensor.data<int32_t>(), ElementsAre(3, 0, 1, 2));
  const double share = fields[3].tensor.At(0);
  EXPECT_GT(share, 0);
  EXPECT_LT(share, 1);
  for (int64_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(fields[3].tensor.At(i), share);
    const double before = static_cast<double>(10 * ((i + kCount - 1) % kCount));
    for (int64_t pixel = 0; pixel < kHeight * kWidth; ++pixel) {
      ASSERT_NEAR(fields[0].tensor.At(i * kHeight * kWidth + pixel),
                  share * static_cast<double>(10 * i) + (1 - share) * before, 1e-4);
    }
  }
}

TEST(Mixer, CutMixPastesAPartAndCountsItsArea) {
  for (int64_t batch = 0; batch < 20; ++batch) {
    std::vector<NamedTensor> fields = Fields();
    Mixer({.cutmix = 1}, 3)(batch, fields);
    for (int64_t i = 0; i < kCount; ++i) {
      int64_t own = 0;
      for (int64_t pixel = 0; pixel < kHeight * kWidth; ++pixel) {
        const double value = fields[0].tensor.At(i * kHeight * kWidth + pixel);
        if (value == static_cast<double>(10 * i))
          ++own;
        else
          ASSERT_EQ(value, static_cast<double>(10 * ((i + kCount - 1) % kCount)));
      }
      EXPECT_NEAR(fields[3].tensor.At(i), static_cast<double>(own) / (kHeight * kWidth), 1e-6);
    }
  }
}

TEST(Mixer, TakesTurnsAtRandomWhereBothAreAsked) {
  int blended = 0;
  for (int64_t batch = 0; batch < 200; ++batch) {
    std::vector<NamedTensor> fields = Fields();
    Mixer({.mixup = 1, .cutmix = 1}, 3)(batch, fields);
    const double first = fields[0].tensor.At(kHeight * kWidth);
    if (first != 0 && first != 10) ++blended;
  }
  EXPECT_NEAR(blended, 100, 30);
}

TEST(Mixer, NothingUnreadableIsMixedIn) {
  std::vector<NamedTensor> fields = Fields();
  fields.push_back({"weight", HostTensor::Of<float>({kCount}, {1, 0, 1, 1})});
  Mixer({.mixup = 0.5}, 3)(0, fields);
  EXPECT_EQ(fields[3].tensor.At(2), 1);
  EXPECT_EQ(fields[0].tensor.At(2 * kHeight * kWidth), 20);
  EXPECT_LT(fields[3].tensor.At(3), 1);
}

TEST(Mixer, IsAFunctionOfSeedAndBatch) {
  const auto mixed = [](uint64_t seed, int64_t batch) {
    std::vector<NamedTensor> fields = Fields();
    Mixer({.mixup = 0.2, .cutmix = 1}, seed)(batch, fields);
    return fields[3].tensor.At(0);
  };
  EXPECT_EQ(mixed(3, 5), mixed(3, 5));
  EXPECT_NE(mixed(3, 5), mixed(3, 6));
  EXPECT_NE(mixed(3, 5), mixed(4, 5));
  EXPECT_NEAR(mixed(3, 5), 0.1959317, 1e-6) << "what a seed means must not change";
}

// Beta(a, a) has mean 1/2 and variance 1 / (4 (2a + 1)).
TEST(Mixer, SharesAreBetaDistributed) {
  for (double alpha : {0.1, 0.4, 1.0, 3.0}) {
    double sum = 0, squares = 0;
    constexpr int kDraws = 20000;
    for (uint64_t i = 0; i < kDraws; ++i) {
      CounterRandom random(11, RandomStream::kMix, i);
      const double share = DrawBeta(alpha, random);
      ASSERT_GE(share, 0);
      ASSERT_LE(share, 1);
      sum += share;
      squares += (share - 0.5) * (share - 0.5);
    }
    EXPECT_NEAR(sum / kDraws, 0.5, 0.01) << alpha;
    EXPECT_NEAR(squares / kDraws, 1 / (4 * (2 * alpha + 1)), 0.004) << alpha;
  }
}

TEST(Mixer, PatchesHaveTheAreaWhereTheyFit) {
  CounterRandom random(1, RandomStream::kMix, 0);
  for (int i = 0; i < 200; ++i) {
    const Box patch = DrawPatch(0.75, 100, 200, random);
    EXPECT_LE(patch.height, 51);
    EXPECT_LE(patch.width, 101);
    EXPECT_GE(patch.height, 24);
    EXPECT_GE(patch.width, 49);
  }
}

}  // namespace
}  // namespace headrace::data
