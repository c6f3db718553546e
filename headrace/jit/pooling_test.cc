// Pooling against numbers worked out by hand; gradients that JAX does not have, and second gradients, against
// finite differences.
#include "headrace/graph/ops/pooling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"

namespace headrace::jit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Numbers that lie apart, in no order.
HostTensor Scattered(const Shape& shape) {
  HostTensor tensor({DType::kF64, shape});
  for (int64_t i = 0; i < tensor.size(); ++i) tensor.Set(i, std::sin(1.0 + 7.0 * static_cast<double>(i)));
  return tensor;
}

Result<std::vector<HostTensor>> RunOn(const HostTensor& x, const std::function<Values(Value)>& body) {
  HR_TRY(const Function function,
         TryTrace("pool", {&x.type(), 1}, [&](std::span<const Value> v) { return body(v[0]); }));
  return Evaluate(TestClient(), function, {&x, 1});
}

std::vector<double> Numbers(const Result<std::vector<HostTensor>>& results) {
  std::vector<double> numbers;
  if (!results.ok()) {
    ADD_FAILURE() << results.status().ToString();
    return numbers;
  }
  for (int64_t i = 0; i < results->at(0).size(); ++i) numbers.push_back(results->at(0).At(i));
  return numbers;
}

std::string ErrorOf(const HostTensor& x, const std::function<Values(Value)>& body) {
  const auto results = RunOn(x, body);
  return results.ok() ? "" : results.status().message();
}

// Along two directions d: <gradient, d> of `f`, a scalar function, against central differences.
void ExpectGradient(const HostTensor& x, const std::function<Value(Value)>& f) {
  constexpr double kStep = 1e-5;
  const auto results = RunOn(x, [&](Value v) {
    const Value gradient = Gradient(f(v), {&v, 1})[0];
    Values slopes;
    for (double frequency : {1.0, 2.0}) {
      const Value d = Cos(frequency * Reshape(Iota(v.graph(), {x.dtype(), {x.size()}}, 0), x.shape()));
      slopes.push_back(Sum(gradient * d));
      slopes.push_back((f(v + d * kStep) - f(v - d * kStep)) / (2 * kStep));
    }
    return slopes;
  });
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  for (size_t i = 0; i < results->size(); i += 2) {
    const double slope = results->at(i).At(0);
    EXPECT_NEAR(slope, results->at(i + 1).At(0), 1e-7 * (1 + std::abs(slope)));
  }
}

const HostTensor kCounting = HostTensor::Of<float>({1, 5, 1}, {1, 2, 3, 4, 5});

TEST(Pooling, PadsAsAsked) {
  auto pooled = [](WindowPadding padding, bool count_padding = true) {
    return Numbers(RunOn(kCounting, [&](Value x) {
      return Values{AvgPool(x, {.window = {2}, .strides = {2}, .padding = padding}, count_padding)};
    }));
  };
  EXPECT_THAT(pooled(PaddingMode::kValid), ElementsAre(1.5, 3.5));
  EXPECT_THAT(pooled(PaddingMode::kSame), ElementsAre(1.5, 3.5, 2.5));
  EXPECT_THAT(pooled(PaddingMode::kSame, false), ElementsAre(1.5, 3.5, 5));
  EXPECT_THAT(pooled(Padding{{1, 2}}), ElementsAre(0.5, 2.5, 4.5, 0));
  EXPECT_THAT(pooled(Padding{{1, 2}}, false), ElementsAre(1, 2.5, 4.5, 0));
}

TEST(Pooling, TakesTheLargestElement) {
  const HostTensor x = HostTensor::Of<float>({1, 3, 3, 1}, {-1, -2, -3, -4, -5, -6, -7, -8, -9});
  auto pooled = [&](WindowPadding padding) {
    return Numbers(RunOn(x, [&](Value v) {
      return Values{MaxPool(v, {.window = {2, 2}, .strides = {2, 2}, .padding = padding})};
    }));
  };
  EXPECT_THAT(pooled(PaddingMode::kValid), ElementsAre(-1));
  EXPECT_THAT(pooled(PaddingMode::kSame), ElementsAre(-1, -3, -7, -9));
}

TEST(Pooling, OfTiesTheFirstGetsTheGradient) {
  const HostTensor x = HostTensor::Of<float>({1, 4, 1}, {2, 2, 1, 1});
  EXPECT_THAT(
      Numbers(RunOn(
          x, [](Value v) { return Gradient(Sum(MaxPool(v, {.window = {2}, .strides = {2}})), {&v, 1}); })),
      ElementsAre(1, 0, 1, 0));
}

TEST(ReduceWindow, HasGradientsWithDilationAndNegativePadding) {
  const HostTensor x = Scattered({7, 6});
  const Window windows[] = {
      {.size = {2, 3}, .strides = {1, 2}, .padding = {{0, 1}, {1, 1}}, .window_dilation = {2, 2}},
      {.size = {2, 2}, .strides = {2, 1}, .padding = {{-1, 2}, {0, -2}}, .base_dilation = {2, 3}},
      {.size = {3, 1}, .padding = {{-2, -1}, {-1, 0}}},
  };
  for (const Window& window : windows) {
    for (Reduction reduction : {Reduction::kAdd, Reduction::kMax, Reduction::kMin}) {
      ExpectGradient(x, [&](Value v) {
        const Value y = ReduceWindow(v, reduction, window);
        // Windows that see padding only give infinity.
        return Sum(Select(IsFinite(y), y * y * y, ZerosLike(y)));
      });
    }
  }
}

TEST(ReduceWindow, HasSecondGradients) {
  const HostTensor x = Scattered({1, 5, 4, 1});
  for (Reduction reduction : {Reduction::kAdd, Reduction::kMax}) {
    ExpectGradient(x, [&](Value v) {
      const Value y = ReduceWindow(v, reduction, {.size = {1, 2, 3, 1}, .strides = {1, 1, 2, 1}});
      const Value gradient = Gradient(Sum(y * y * y), {&v, 1})[0];
      return Sum(gradient * gradient * v);
    });
  }
}

TEST(ReduceWindow, ProductsSayThatTheyHaveNoGradient) {
  EXPECT_THAT(
      ErrorOf(kCounting,
              [](Value x) {
                return Gradient(Sum(ReduceWindow(x, Reduction::kMul, {.size = {1, 2, 1}})), {&x, 1});
              }),
      HasSubstr("reduce_window: 'multiply' has no gradient; 'add', 'maximum' and 'minimum' have one"));
}

TEST(Pooling, SaysWhatIsWrong) {
  auto error = [](const Pooling& pooling) {
    return ErrorOf(kCounting, [&](Value x) { return Values{MaxPool(x, pooling)}; });
  };
  EXPECT_THAT(error({.window = {2, 2}}),
              HasSubstr("max_pool: a window of 2 dimensions is for [N, spatial…, C] with as many spatial "
                        "dimensions, not f32[1, 5, 1]"));
  EXPECT_THAT(
      error({.window = {0}}),
      HasSubstr("window [0] must be 1 positive numbers, one a dimension that the window slides over"));
  EXPECT_THAT(error({.window = {2}, .strides = {1, 1}}), HasSubstr("strides [1, 1] must be 1 positive"));
  EXPECT_THAT(error({.window = {2}, .padding = Padding{{0, 0}, {0, 0}}}),
              HasSubstr("padding has 2 (low, high) entries for 1 spatial dimensions"));
  EXPECT_THAT(error({.window = {2}, .padding = Padding{{-4, -2}}}),
              HasSubstr("padding (-4, -2) removes more than the 5 elements that there are"));
  EXPECT_THAT(ErrorOf(HostTensor::Of<int32_t>({1, 2, 1}, {1, 2}),
                      [](Value x) { return Values{AvgPool(x, {.window = {2}})}; }),
              HasSubstr("avg_pool: takes floating-point, not i32[1, 2, 1]"));
}

}  // namespace
}  // namespace headrace::jit
