// What special functions and compositions of elementwise ones give beyond the cases of their ops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/jit/test/elements.h"
#include "headrace/jit/test/same_function.h"

namespace headrace::jit {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

// Slopes from below and above agree with (f(x + h) - f(x - h)) / 2h, in f64.
void ExpectSlope(const std::function<Value(Value)>& function, const std::vector<double>& points) {
  const HostTensor x = HostTensor::Of<double>({static_cast<int64_t>(points.size())}, points);
  const auto slope = Elements({x}, [&](auto v) { return Gradient(Sum(function(v[0])), v)[0]; });
  const auto difference =
      Elements({x}, [&](auto v) { return (function(v[0] + 1e-5) - function(v[0] - 1e-5)) / 2e-5; });
  for (size_t i = 0; i < points.size(); ++i)
    EXPECT_NEAR(slope[i], difference[i], 1e-6 * (1 + std::abs(slope[i])));
}

TEST(Special, HasSlopesInTheSecondOperand) {
  const auto constant = [](Value like, double value) { return FullLike(like, value); };
  ExpectSlope([&](Value x) { return Zeta(constant(x, 2.5), x); }, {0.5, 1, 3});
  ExpectSlope([&](Value x) { return Polygamma(constant(x, 1), x); }, {0.5, 1, 3});
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {}}, "x");
  EXPECT_EQ(ErrorOf([&] { Gradient(Zeta(x, OnesLike(x)), {&x, 1}); }),
            "zeta: has no gradient in its first operand; stop the gradient before it");
  EXPECT_EQ(ErrorOf([&] { Gradient(Polygamma(x, x), {&x, 1}); }),
            "polygamma: has no gradient in its first operand; stop the gradient before it");
}

// Gradients of gradients: each is made of functions that have one.
TEST(Special, HasSlopesOfSlopes) {
  for (const auto& function : {Lgamma, Erfc, Asinh, Tan, BesselI0e, BesselI1e, Atan}) {
    const auto slope = [&](Value x) { return Gradient(Sum(function(x)), {&x, 1})[0]; };
    ExpectSlope(slope, {0.3, 0.7, 1.2});
  }
}

TEST(Elementwise, DividesAsNumpy) {
  const HostTensor a = HostTensor::Of<int32_t>({6}, {7, -7, 7, -7, 6, -6});
  const HostTensor b = HostTensor::Of<int32_t>({6}, {3, 3, -3, -3, 3, -3});
  EXPECT_THAT(Elements({a, b}, [](auto v) { return FloorDiv(v[0], v[1]); }), ElementsAre(2, -3, -3, 2, 2, 2));
  EXPECT_THAT(Elements({a, b}, [](auto v) { return Mod(v[0], v[1]); }), ElementsAre(1, 2, -2, -1, 0, 0));
  const HostTensor x = HostTensor::Of<float>({4}, {7.5f, -7.5f, 7.5f, -7.5f});
  const HostTensor y = HostTensor::Of<float>({4}, {2, 2, -2, -2});
  EXPECT_THAT(Elements({x, y}, [](auto v) { return FloorDiv(v[0], v[1]); }), ElementsAre(3, -4, -4, 3));
  EXPECT_THAT(Elements({x, y}, [](auto v) { return Mod(v[0], v[1]); }), ElementsAre(1.5, 0.5, -0.5, -1.5));
  const HostTensor u = HostTensor::Of<uint8_t>({2}, {255, 200});
  EXPECT_THAT(Elements({u}, [](auto v) { return FloorDiv(v[0], FullLike(v[0], 7)); }), ElementsAre(36, 28));
  EXPECT_THAT(Elements({u}, [](auto v) { return Mod(v[0], FullLike(v[0], 7)); }), ElementsAre(3, 4));
}

TEST(Elementwise, RoundsEveryWay) {
  const HostTensor x = HostTensor::Of<float>({5}, {-2.5f, -0.4f, 0.5f, 1.5f, 2.6f});
  EXPECT_THAT(Elements({x}, [](auto v) { return Trunc(v[0]); }), ElementsAre(-2, 0, 0, 1, 2));
  EXPECT_THAT(Elements({x}, [](auto v) { return Round(v[0]); }), ElementsAre(-2, 0, 0, 2, 3));
  EXPECT_THAT(Elements({x}, [](auto v) { return RoundHalfAway(v[0]); }), ElementsAre(-3, 0, 1, 2, 3));
}

TEST(Elementwise, OfOtherBases) {
  const HostTensor x = HostTensor::Of<double>({2}, {8, 1000});
  EXPECT_THAT(Elements({x}, [](auto v) { return Log2(v[0]); }),
              ElementsAre(DoubleNear(3, 1e-14), DoubleNear(9.965784284662087, 1e-13)));
  EXPECT_THAT(Elements({x}, [](auto v) { return Log10(v[0]); }),
              ElementsAre(DoubleNear(0.9030899869919435, 1e-14), DoubleNear(3, 1e-14)));
  EXPECT_THAT(Elements({x}, [](auto v) { return Exp2(v[0] / 4.0); }),
              ElementsAre(DoubleNear(4, 1e-13), DoubleNear(0x1p250, 0x1p205)));
  EXPECT_THAT(Elements({x}, [](auto v) { return Square(Reciprocal(v[0])); }), ElementsAre(1.0 / 64, 1e-6));
}

TEST(Compare, KnowsWhatIsNoNumber) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const HostTensor x =
      HostTensor::Of<float>({4}, {1, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_THAT(Elements({x}, [](auto v) { return IsNaN(v[0]); }), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(Elements({x}, [](auto v) { return IsInf(v[0]); }), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(Elements({x}, [](auto v) { return IsFinite(v[0]); }), ElementsAre(1, 0, 0, 0));
}

TEST(Clip, BroadcastsItsBounds) {
  const HostTensor x = HostTensor::Of<float>({2, 3}, {-2, 0.25f, 2, -1, 1, 0.5f});
  const HostTensor low = HostTensor::Of<float>({2, 1}, {0, -1});
  EXPECT_THAT(Elements({x}, [](auto v) { return Clip(v[0], 0, 1); }), ElementsAre(0, 0.25, 1, 0, 1, 0.5));
  EXPECT_THAT(Elements({x, low}, [](auto v) { return Clamp(v[1], v[0], FullLike(v[0], 0.5)); }),
              ElementsAre(0, 0.25, 0.5, -1, 0.5, 0.5));
}

}  // namespace
}  // namespace headrace::jit
