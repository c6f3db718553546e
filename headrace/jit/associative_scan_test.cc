// Scans by an associative function equal the steps one after the other, and so do their gradients.
#include <gmock/gmock.h>

#include <limits>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/graph/vmap.h"
#include "headrace/jit/test/elements.h"
#include "headrace/jit/test/same_function.h"

namespace headrace::jit {
namespace {

using ::testing::ElementsAre;

// y[i] = a[i] y[i - 1] + b[i], whose steps compose: not commutative.
Values Compose(std::span<const Value> earlier, std::span<const Value> later) {
  return {later[0] * earlier[0], later[0] * earlier[1] + later[1]};
}

Value ByScan(std::span<const Value> v, int axis, bool reverse) {
  return AssociativeScan(Compose, {v[0], v[1]}, axis, reverse)[1];
}

Value StepByStep(std::span<const Value> v, int axis, bool reverse) {
  const int64_t n = v[0].dim(axis);
  Values ys(static_cast<size_t>(n));
  Value y;
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = reverse ? n - 1 - step : step;
    const Value b = Slice(v[1], axis, i, i + 1);
    y = y ? Slice(v[0], axis, i, i + 1) * y + b : b;
    ys[static_cast<size_t>(i)] = y;
  }
  return Concatenate(ys, axis);
}

TEST(AssociativeScan, EqualsSteps) {
  for (int64_t n : {1, 2, 3, 4, 7, 8, 13}) {
    for (bool reverse : {false, true}) {
      SCOPED_TRACE(n);
      const auto with_gradient = [&](const auto& function) {
        return [&](std::span<const Value> v) {
          const Value y = function(v, 1, reverse);
          Values results = Gradient(Sum(Sin(y)), v);
          results.push_back(y);
          return results;
        };
      };
      ExpectSame(with_gradient(ByScan), with_gradient(StepByStep), {Numbers({2, n}, 1), Numbers({2, n}, 2)},
                 1e-5);
    }
  }
}

TEST(AssociativeScan, Batches) {
  const auto one = [](std::span<const Value> v) { return Values{ByScan(v, 0, false)}; };
  ExpectSame([&](std::span<const Value> v) { return Vmap(one, v, {0, 0}); },
             [](std::span<const Value> v) { return Values{ByScan(v, -1, false)}; },
             {Numbers({3, 6}, 1), Numbers({3, 6}, 2)});
}

TEST(AssociativeScan, NeedsOneSize) {
  Graph graph;
  const Value a = graph.Parameter({DType::kF32, {3}}, "a");
  const Value b = graph.Parameter({DType::kF32, {4}}, "b");
  EXPECT_EQ(ErrorOf([&] { AssociativeScan(Compose, {a, b}, 0); }),
            "associative_scan: sizes along axis 0 differ: f32[3] and f32[4]");
  EXPECT_EQ(ErrorOf([&] { AssociativeScan(Compose, {a, a}, 1); }),
            "associative_scan: sizes along axis 1 differ: f32[3] and f32[3]");
  EXPECT_EQ(ErrorOf([&] { AssociativeScan(Compose, {}, 0); }), "associative_scan: has no values");
}

TEST(CumLogSumExp, EqualsItsDefinition) {
  for (bool reverse : {false, true}) {
    const auto with_gradient = [](const std::function<Value(Value)>& function) {
      return [function](std::span<const Value> v) {
        const Value y = function(v[0]);
        return Values{y, Gradient(Sum(Sin(y)), v)[0]};
      };
    };
    ExpectSame(with_gradient([&](Value x) { return CumLogSumExp(x, -1, reverse); }),
               with_gradient([&](Value x) { return Log(CumSum(Exp(x), 1, reverse)); }), {Numbers({2, 9}, 3)},
               1e-5);
  }
}

TEST(CumLogSumExp, DoesNotOverflow) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const HostTensor x = HostTensor::Of<float>({5}, {-kInfinity, -kInfinity, 1000, -1000, kInfinity});
  EXPECT_THAT(Elements({x}, [](auto v) { return CumLogSumExp(v[0], 0); }),
              ElementsAre(-kInfinity, -kInfinity, 1000, 1000, kInfinity));
  const HostTensor masked = HostTensor::Of<float>({3}, {-kInfinity, -kInfinity, 2});
  EXPECT_THAT(Elements({masked},
                       [](auto v) {
                         return Gradient(Slice(CumLogSumExp(v[0], 0), 0, 2, 3), v.first(1),
                                         Full(v[0].graph(), {DType::kF32, {1}}, 1))[0];
                       }),
              ElementsAre(0, 0, 1));
}

TEST(LogAddExp, KeepsInfinitiesAndHasASlopeThere) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const HostTensor a = HostTensor::Of<float>({4}, {-kInfinity, kInfinity, kInfinity, 2});
  const HostTensor b = HostTensor::Of<float>({4}, {-kInfinity, kInfinity, -kInfinity, -kInfinity});
  EXPECT_THAT(Elements({a, b}, [](auto v) { return LogAddExp(v[0], v[1]); }),
              ElementsAre(-kInfinity, kInfinity, kInfinity, 2));
  EXPECT_THAT(Elements({a, b}, [](auto v) { return Gradient(Sum(LogAddExp(v[0], v[1])), v)[0]; }),
              ElementsAre(0.5, 0.5, 1, 1));
}

}  // namespace
}  // namespace headrace::jit
