// Functions on Values that are made of several ops: what they compute.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/jit/test/elements.h"

namespace headrace::jit {
namespace {

using ::testing::ElementsAre;

const HostTensor kGrid = HostTensor::Of<float>({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(Vocabulary, BroadcastsAsNumpy) {
  const HostTensor column = HostTensor::Of<float>({2, 1}, {10, 20});
  const HostTensor row = HostTensor::Of<float>({3}, {1, 2, 3});
  EXPECT_THAT(Elements({column, row}, [](auto x) { return x[0] + x[1]; }),
              ElementsAre(11, 12, 13, 21, 22, 23));
  EXPECT_THAT(Elements({kGrid}, [](auto x) { return 2.0 - x[0] * 0.5; }),
              ElementsAre(1.5, 1, 0.5, 0, -0.5, -1));
}

TEST(Vocabulary, ReducesOverAxesFromEitherEnd) {
  EXPECT_THAT(Elements({kGrid}, [](auto x) { return Sum(x[0], {-1}); }), ElementsAre(6, 15));
  EXPECT_THAT(Elements({kGrid}, [](auto x) { return Mean(x[0], {0}); }), ElementsAre(2.5, 3.5, 4.5));
  EXPECT_THAT(Elements({kGrid}, [](auto x) { return Mean(x[0]); }), ElementsAre(3.5));
  EXPECT_THAT(Elements({kGrid}, [](auto x) { return x[0] - KeepDims(Max(x[0], {1}), x[0].shape(), {1}); }),
              ElementsAre(-2, -1, 0, -2, -1, 0));
}

TEST(Vocabulary, ReshapesToWhatIsLeft) {
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {2, 3, 4}}, "x");
  EXPECT_EQ(Reshape(x, {-1, 4}).shape(), Shape({6, 4}));
  EXPECT_EQ(Reshape(x, {2, 3, 4}), x);
  EXPECT_EQ(ExpandDims(x, -1).shape(), Shape({2, 3, 4, 1}));
  EXPECT_EQ(ErrorOf([&] { return Reshape(x, {-1, 5}); }), "reshape: f32[2, 3, 4] does not fit into [-1, 5]");
  EXPECT_EQ(ErrorOf([&] { return Reshape(x, {-1, -1}); }),
            "reshape: f32[2, 3, 4] does not fit into [-1, -1]");
}

TEST(Vocabulary, MultipliesOverTheLastDimension) {
  const HostTensor weight = HostTensor::Of<float>({3, 1}, {1, 0, -1});
  EXPECT_THAT(Elements({kGrid, weight}, [](auto x) { return Dot(x[0], x[1]); }), ElementsAre(-2, -2));
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {3}}, "x");
  EXPECT_EQ(ErrorOf([&] { return Dot(x, x); }), "dot: takes [..., k] and [k, n], not f32[3] and f32[3]");
}

const HostTensor kNumbers = HostTensor::Of<int32_t>({4}, {1, -1, 2, 0});

TEST(Vocabulary, TakesRows) {
  const auto rows =
      Elements({kGrid, kNumbers}, [](auto x) { return TakeRows(x[0], x[1], OutOfRange::kClamp); });
  EXPECT_THAT(rows, ElementsAre(4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3));
  const auto filled = Elements({kGrid, kNumbers}, [](auto x) { return TakeRows(x[0], x[1]); });
  for (const int i : {3, 4, 5, 6, 7, 8}) EXPECT_TRUE(std::isnan(filled[static_cast<size_t>(i)])) << i;
  EXPECT_EQ(filled[0], 4);
  EXPECT_EQ(filled[11], 3);
}

TEST(Vocabulary, TakesRowsOfOtherTypes) {
  auto take = [](auto x) { return TakeRows(x[0], x[1]); };
  const HostTensor wrong = HostTensor::Of<uint8_t>({}, {200});
  EXPECT_THAT(Elements({HostTensor::Of<int32_t>({2}, {5, 6}), wrong}, take),
              ElementsAre(std::numeric_limits<int32_t>::min()));
  EXPECT_THAT(Elements({HostTensor::Of<uint16_t>({2}, {5, 6}), wrong}, take), ElementsAre(65535));
  EXPECT_THAT(Elements({HostTensor::Of<bool>({2}, {false, false}), wrong}, take), ElementsAre(1));
}

TEST(Vocabulary, RowsOutOfRangeGetNoGradient) {
  const auto gradient = Elements({kGrid, kNumbers}, [](auto x) {
    const Value rows = TakeRows(x[0], x[1]);
    return Gradient(rows, x.first(1), OnesLike(rows))[0];
  });
  EXPECT_THAT(gradient, ElementsAre(1, 1, 1, 1, 1, 1));
}

TEST(Vocabulary, MakesOneHot) {
  EXPECT_THAT(Elements({kNumbers}, [](auto x) { return OneHot(x[0], 3); }),
              ElementsAre(0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0));
  // A type that cannot count so far does not wrap around.
  const auto large = Elements({HostTensor::Of<uint8_t>({1}, {3})}, [](auto x) { return OneHot(x[0], 300); });
  EXPECT_EQ(std::ranges::count(large, 1), 1);
}

TEST(Vocabulary, SlicesOneDimension) {
  EXPECT_THAT(Elements({kGrid}, [](auto x) { return Slice(x[0], -1, 1, 3); }), ElementsAre(2, 3, 5, 6));
}

}  // namespace
}  // namespace headrace::jit
