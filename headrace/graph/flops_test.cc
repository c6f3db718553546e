#include "headrace/graph/flops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"

namespace headrace {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TensorType F32(Shape shape) { return {DType::kF32, std::move(shape)}; }

Flops Count(const Types& types, const ValueFn& body) { return CountFlops(Trace("f", types, body)); }

// Of the first result's sum in all parameters, without the sum itself.
Flops CountGradient(const Types& types, const std::function<Value(std::span<const Value>)>& body) {
  return Count(types, [&](std::span<const Value> x) {
    const Value y = body(x);
    return Gradient(y, Values(x.begin(), x.end()), OnesLike(y));
  });
}

TEST(Flops, ProductsAreTwoForEachNumberThatIsMultiplied) {
  const auto product = [](std::span<const Value> x) { return Values{Dot(x[0], x[1])}; };
  EXPECT_EQ(Count({F32({3, 5}), F32({5, 7})}, product), (Flops{.products = 2 * 3 * 5 * 7}));
  const auto batched = [](std::span<const Value> x) { return Values{Einsum("bik,bjk->bij", {x[0], x[1]})}; };
  EXPECT_EQ(Count({F32({4, 3, 5}), F32({4, 7, 5})}, batched).products, 2 * 4 * 3 * 5 * 7);
}

TEST(Flops, TheWayBackOfAProductIsTwoProducts) {
  const Flops flops =
      CountGradient({F32({3, 5}), F32({5, 7})}, [](std::span<const Value> x) { return Dot(x[0], x[1]); });
  EXPECT_EQ(flops.products, 2 * (2 * 3 * 5 * 7));
}

TEST(Flops, ConvolutionsCountPaddingButNoHoles) {
  // [2, 8, 8, 4] * [3, 3, 2, 6], in two groups and strides of 2: [2, 4, 4, 6]
  const auto strided = [](std::span<const Value> x) {
    return Convolution(x[0], x[1], ConvDims::ChannelsLast(2),
                       {.strides = {2, 2}, .padding = PaddingMode::kSame, .feature_groups = 2});
  };
  const Types types = {F32({2, 8, 8, 4}), F32({3, 3, 2, 6})};
  constexpr double kForward = 2 * (2 * 4 * 4 * 6) * (3 * 3 * 2);
  EXPECT_EQ(Count(types, [&](auto x) { return Values{strided(x)}; }), (Flops{.products = kForward}));
  // One gradient strides through the filter, the other through an input with holes: neither costs more than
  // the forward half, but for the padding at the edges.
  EXPECT_NEAR(CountGradient(types, strided).products, 2 * kForward, 0.2 * kForward);
}

TEST(Flops, ElementsReductionsAndWindows) {
  const auto count = [](const ValueFn& body) { return Count({F32({4, 6})}, body); };
  EXPECT_EQ(count([](auto x) { return Values{Exp(x[0] * 2.0) + x[0]}; }), (Flops{.others = 3 * 24}));
  EXPECT_EQ(count([](auto x) { return Values{Sum(x[0], {1})}; }), (Flops{.others = 24}));
  EXPECT_EQ(count([](auto x) { return Values{CumSum(x[0], 0)}; }), (Flops{.others = 24}));
  EXPECT_EQ(count([](auto x) { return Values{MaxPool(Reshape(x[0], {1, 4, 6, 1}), {.window = {2, 2}})}; }),
            (Flops{.others = 3 * 5 * 4}));
  const auto moves = [](auto x) { return Values{Convert(Transpose(x[0], {1, 0}), DType::kI32) + 1.0}; };
  EXPECT_EQ(count(moves), Flops{});
  EXPECT_EQ(count([](auto x) { return Values{Rfft(x[0])}; }).others, 5 * 24 * std::log2(6));
}

TEST(Flops, LoopsCountTheirRoundsAndBranchesTheDearest) {
  const Types types = {F32({8}), F32({5, 8}), F32({8, 8})};
  const auto scan = [](std::span<const Value> x) {
    const Value w = x[2];
    return Scan([&](auto c, auto row) { return ScanResult{{Tanh(Dot(c[0], w)) + row[0]}, {}}; }, {x[0]},
                {x[1]})
        .carry;
  };
  EXPECT_EQ(Count(types, scan), (Flops{.products = 5 * 2 * 64, .others = 5 * 16}));

  const auto branch = [](std::span<const Value> x) {
    const Value large = Greater(Sum(x[0]), Scalar(x[0].graph(), DType::kF32, 0));
    return Cond(
        large, [](auto v) { return Values{Exp(v[0])}; }, [](auto v) { return Values{Dot(v[0], v[1])}; },
        {x[0], x[2]});
  };
  EXPECT_EQ(Count(types, branch), (Flops{.products = 2 * 64, .others = 8}));
}

TEST(Flops, RematPaysTwice) {
  const Types types = {F32({3, 5}), F32({5, 7})};
  const auto count = [&](RematPolicy policy) {
    return CountGradient(types,
                         [&](std::span<const Value> x) {
                           return Remat([](auto v) { return Values{Tanh(Dot(v[0], v[1]))}; }, {x[0], x[1]},
                                        policy)[0];
                         })
        .products;
  };
  constexpr double kOnce = 2 * 3 * 5 * 7;
  EXPECT_EQ(count(RematPolicy::kNone), 3 * kOnce);
  EXPECT_EQ(count(RematPolicy::kDots), 3 * kOnce);
  EXPECT_GE(count(RematPolicy::kFull), 3 * kOnce);
}

TEST(Flops, WhatItCannotCountItNames) {
  const Flops loop = Count({F32({4})}, [](std::span<const Value> x) {
    return While([](auto s) { return Values{Less(Sum(s[0]), Scalar(s[0].graph(), DType::kF32, 9))}; },
                 [](auto s) { return Values{s[0] * 2.0}; }, {x[0]});
  });
  EXPECT_THAT(loop.uncounted, ElementsAre("while"));
  EXPECT_EQ(loop.others, 4 + 4);
  EXPECT_THAT(Count({F32({4})}, [](auto x) { return Values{Sort(x[0], 0)}; }).uncounted, ElementsAre("sort"));
  EXPECT_THAT(Count({F32({4})}, [](auto x) { return Values{Exp(x[0])}; }).uncounted, IsEmpty());
}

}  // namespace
}  // namespace headrace
