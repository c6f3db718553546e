// What sorting gives beyond the cases of its op: orders of the caller's own, positions, extremes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/graph/vmap.h"
#include "headrace/jit/test/elements.h"

namespace headrace::jit {
namespace {

using ::testing::ElementsAre;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

const HostTensor kNumbers = HostTensor::Of<float>({2, 4}, {3, -1, 2, -4, 0, 5, -6, 1});

Values ByMagnitude(std::span<const Value> x) { return {Less(Abs(x[0]), Abs(x[1]))}; }

TEST(Sort, OfEveryAxis) {
  EXPECT_THAT(Elements({kNumbers}, [](auto x) { return Sort(x[0]); }),
              ElementsAre(-4, -1, 2, 3, -6, 0, 1, 5));
  EXPECT_THAT(Elements({kNumbers}, [](auto x) { return Sort(x[0], -2, {.descending = true}); }),
              ElementsAre(3, 5, 2, 1, 0, -1, -6, -4));
  EXPECT_THAT(Elements({kNumbers}, [](auto x) { return Argsort(x[0], 1); }),
              ElementsAre(3, 1, 2, 0, 2, 0, 3, 1));
}

// A sort moves elements and makes none: the zeros keep their signs.
TEST(Sort, KeepsTheSignsOfZeros) {
  const HostTensor zeros = HostTensor::Of<float>({4}, {0.0f, -0.0f, -1, 0.0f});
  const auto signs = [](Value x) { return 1.0 / x; };
  EXPECT_THAT(Elements({zeros}, [&](auto x) { return signs(Sort(x[0])); }),
              ElementsAre(-1, -kInfinity, kInfinity, kInfinity));
  // With positions equal elements stay where they stood.
  EXPECT_THAT(Elements({zeros}, [&](auto x) { return signs(SortTogether({x[0], x[0]})[1]); }),
              ElementsAre(-1, kInfinity, -kInfinity, kInfinity));
}

TEST(Sort, PutsNaNLastWhateverItsSign) {
  const HostTensor numbers = HostTensor::Of<float>({3}, {-kNaN, 1, kNaN});
  EXPECT_THAT(Elements({numbers}, [](auto x) { return Argsort(x[0]); }), ElementsAre(1, 0, 2));
  EXPECT_EQ(Elements({numbers}, [](auto x) { return Sort(x[0]); })[0], 1);
  EXPECT_EQ(Elements({numbers}, [](auto x) { return Sort(x[0], 0, {.descending = true}); })[2], 1);
}

TEST(SortBy, TakesAnyOrder) {
  EXPECT_THAT(Elements({kNumbers}, [](auto x) { return SortBy(ByMagnitude, {x[0]})[0]; }),
              ElementsAre(-1, 2, 3, -4, 0, 1, 5, -6));
  const HostTensor tens = HostTensor::Of<int32_t>({4}, {13, 22, 31, 12});
  const auto by_digits = [](std::span<const Value> x) {
    const Value ten = FullLike(x[0], 10);
    return Values{Less(Rem(x[0], ten), Rem(x[1], ten))};
  };
  EXPECT_THAT(Elements({tens}, [&](auto x) { return SortBy(by_digits, {x[0]})[0]; }),
              ElementsAre(31, 22, 12, 13));
}

TEST(SortBy, HasAGradientAndABatch) {
  const auto weighed = [](Value x) {
    const Value sorted = SortBy(ByMagnitude, {x})[0];
    return Sum(sorted * Convert(Iota(x.graph(), {DType::kI32, sorted.shape()}, -1), DType::kF32));
  };
  const auto expected = ElementsAre(2, 0, 1, 3, 0, 2, 3, 1);
  EXPECT_THAT(Elements({kNumbers}, [&](auto x) { return Gradient(weighed(x[0]), x)[0]; }), expected);
  EXPECT_THAT(Elements({kNumbers},
                       [&](auto x) {
                         const auto one = [&](std::span<const Value> v) {
                           return Gradient(weighed(v[0]), v);
                         };
                         return Vmap(one, x, {0})[0];
                       }),
              expected);
}

TEST(SortBy, SaysWhatAComparatorGives) {
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {3}}, "x");
  EXPECT_EQ(ErrorOf([&] { SortBy([](auto v) { return Values{v[0]}; }, {x}); }),
            "sort(f32[3]): the comparator gives f32[]; it must be one pred[]");
  EXPECT_EQ(ErrorOf([&] { SortBy([](auto) { return Values{}; }, {x}); }),
            "sort(f32[3]): the comparator gives nothing; it must be one pred[]");
}

TEST(Sort, HasOneSortWithItsGradient) {
  const Function function = Trace("f", Types{kNumbers.type()}, [](std::span<const Value> x) {
    const Value sorted = Sort(x[0]);
    return Values{sorted, Gradient(Sum(sorted * sorted), x)[0]};
  });
  int sorts = 0;
  for (const Node* node : LiveNodes(function.results)) sorts += node->op->name() == "sort";
  EXPECT_EQ(sorts, 1);
}

TEST(ArgMax, IsTheFirstOfTheLargest) {
  EXPECT_THAT(Elements({kNumbers}, [](auto x) { return ArgMax(x[0], 1); }), ElementsAre(0, 1));
  EXPECT_THAT(Elements({kNumbers}, [](auto x) { return ArgMin(x[0], -2); }), ElementsAre(1, 0, 1, 0));
  const HostTensor ties = HostTensor::Of<float>({5}, {-0.0f, 0.0f, -7, -7, -0.0f});
  EXPECT_THAT(Elements({ties}, [](auto x) { return ArgMax(x[0], 0); }), ElementsAre(0));
  EXPECT_THAT(Elements({ties}, [](auto x) { return ArgMin(x[0], 0); }), ElementsAre(2));
}

TEST(ArgMax, TakesNaNForTheExtreme) {
  const HostTensor with_nan = HostTensor::Of<float>({4}, {kInfinity, -kInfinity, kNaN, -kNaN});
  EXPECT_THAT(Elements({with_nan}, [](auto x) { return ArgMax(x[0], 0); }), ElementsAre(2));
  EXPECT_THAT(Elements({with_nan}, [](auto x) { return ArgMin(x[0], 0); }), ElementsAre(2));
}

TEST(ArgMax, OfEveryKindOfNumber) {
  for (DType dtype : {DType::kF64, DType::kF32, DType::kBF16, DType::kF16, DType::kI8, DType::kI64,
                      DType::kU8, DType::kU32, DType::kPred}) {
    const HostTensor numbers = HostTensor::Of<float>({4}, {0, 1, 0, 1}).ConvertTo(dtype);
    EXPECT_THAT(Elements({numbers}, [](auto x) { return ArgMax(x[0], 0); }), ElementsAre(1)) << Name(dtype);
    EXPECT_THAT(Elements({numbers}, [](auto x) { return ArgMin(x[0], 0); }), ElementsAre(0)) << Name(dtype);
  }
}

TEST(ArgMax, NeedsElements) {
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {3, 0}}, "x");
  EXPECT_EQ(ErrorOf([&] { ArgMax(x, 1); }), "arg_max: f32[3, 0] has no elements along axis 1");
  EXPECT_EQ(ErrorOf([&] { ArgMin(x, 2); }), "arg_min: f32[3, 0] has no elements along axis 2");
}

TEST(TopK, OfAnyAxis) {
  EXPECT_THAT(Elements({kNumbers}, [](auto x) { return TopK(x[0], 2).values; }), ElementsAre(3, 2, 5, 1));
  EXPECT_THAT(Elements({kNumbers}, [](auto x) { return TopK(x[0], 2).positions; }), ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(Elements({kNumbers}, [](auto x) { return TopK(x[0], 1, 0).values; }), ElementsAre(3, 5, 2, 1));
  EXPECT_THAT(Elements({kNumbers}, [](auto x) { return TopK(x[0], 1, 0).positions; }),
              ElementsAre(0, 1, 0, 1));
}

TEST(TakeAlongAxis, TakesElements) {
  const HostTensor places = HostTensor::Of<int32_t>({2, 2}, {3, 0, 1, 9});
  const auto filled = Elements({kNumbers, places}, [](auto x) { return TakeAlongAxis(x[0], x[1], 1); });
  EXPECT_EQ(std::vector<double>(filled.begin(), filled.begin() + 3), (std::vector<double>{-4, 3, 5}));
  EXPECT_TRUE(std::isnan(filled[3]));
  EXPECT_THAT(
      Elements({kNumbers, places}, [](auto x) { return TakeAlongAxis(x[0], x[1], -1, OutOfRange::kClamp); }),
      ElementsAre(-4, 3, 5, 1));
  Graph graph;
  const Value x = graph.Parameter(kNumbers.type(), "x");
  EXPECT_EQ(ErrorOf([&] { TakeAlongAxis(x, x, 2); }), "take_along_axis: f32[2, 4] has no axis 2");
}

}  // namespace
}  // namespace headrace::jit
