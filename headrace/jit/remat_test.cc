// Remat and functions with gradients of their own.
#include <gmock/gmock.h>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/graph/test/live_ops.h"
#include "headrace/graph/vmap.h"
#include "headrace/jit/test/same_function.h"

namespace headrace::jit {
namespace {

// x [4, 3], w [3, 3], u [3, 3]; w is taken from outside.
ValueFn Block(RematPolicy policy) {
  return [policy](std::span<const Value> v) {
    const Value w = v[1];
    return Remat([&](std::span<const Value> x) { return Values{Dot(Tanh(Dot(Sin(x[0]), w)), x[1])}; },
                 {v[0], v[2]}, policy);
  };
}

ValueFn GradientOf(const ValueFn& body) {
  return [body](std::span<const Value> v) { return Gradient(Sum(Sin(body(v)[0])), v); };
}

const std::vector<HostTensor> kBlock = {Numbers({4, 3}, 1), Numbers({3, 3}, 2), Numbers({3, 3}, 3)};

TEST(Remat, ChangesNoNumbers) {
  const ValueFn plain = Block(RematPolicy::kNone);
  for (const RematPolicy policy : {RematPolicy::kDots, RematPolicy::kFull}) {
    ExpectSame(Block(policy), plain, kBlock);
    ExpectSame(GradientOf(Block(policy)), GradientOf(plain), kBlock, 1e-5);
    ExpectSame(GradientOf(GradientOf(Block(policy))), GradientOf(GradientOf(plain)), kBlock, 1e-4);
    const std::vector<HostTensor> batch = {Numbers({2, 4, 3}, 1), kBlock[1], kBlock[2]};
    const auto per_example = [](const ValueFn& body) {
      return [body](std::span<const Value> v) { return Vmap(body, v, {0, std::nullopt, std::nullopt}); };
    };
    ExpectSame(per_example(GradientOf(Block(policy))), per_example(GradientOf(plain)), batch, 1e-5);
    ExpectSame(GradientOf(per_example(Block(policy))), GradientOf(per_example(plain)), batch, 1e-5);
  }
}

TEST(Remat, ChangesNoNumbersInAScan) {
  const auto deep = [](RematPolicy policy) {
    return [policy](std::span<const Value> v) {
      return Scan([&](auto c, auto x) { return ScanResult{Block(policy)(Values{c[0], x[0], v[2]}), {}}; },
                  {v[0]}, {v[1]})
          .carry;
    };
  };
  const std::vector<HostTensor> arguments = {Numbers({4, 3}, 1), Numbers({5, 3, 3}, 2), Numbers({3, 3}, 3)};
  for (const RematPolicy policy : {RematPolicy::kDots, RematPolicy::kFull})
    ExpectSame(GradientOf(deep(policy)), GradientOf(deep(RematPolicy::kNone)), arguments, 1e-5);
}

// What the gradient computes anew: sin and tanh always, the first product only where nothing is kept.
TEST(Remat, ComputesAgainWhatItsPolicyDoesNotKeep) {
  const auto count = [](RematPolicy policy, std::string_view op) {
    Types types;
    for (const HostTensor& argument : kBlock) types.push_back(argument.type());
    const Function function = Trace("f", types, GradientOf(Block(policy)));
    return std::ranges::count(LiveOps(function), op);
  };
  // With no remat: 2 products forward, 4 for the gradient. The forward ones of a remat stand in its body.
  EXPECT_EQ(count(RematPolicy::kNone, "dot_general"), 6);
  EXPECT_EQ(count(RematPolicy::kDots, "dot_general"), 4);
  EXPECT_EQ(count(RematPolicy::kFull, "dot_general"), 5);
  EXPECT_EQ(count(RematPolicy::kNone, "tanh"), 1);
  EXPECT_EQ(count(RematPolicy::kDots, "tanh"), 1);  // again; the first stands in the body
  EXPECT_EQ(count(RematPolicy::kDots, "optimization_barrier"), 1);
}

// log(1 + e^x) with a gradient that does not overflow, and is told from the true one by a factor.
Values Softplus(std::span<const Value> v, double factor) {
  return CustomGradient(
      {v[0], v[1]},
      [](std::span<const Value> x) { return WithResiduals{{Log1p(Exp(x[0])) * x[1]}, {x[0], x[1]}}; },
      [factor](std::span<const Value> r, std::span<const Value> dy) {
        return Values{dy[0] * Logistic(r[0]) * r[1] * factor, Sum(dy[0])};
      });
}

TEST(CustomGradient, IsTheGradient) {
  const auto ours = [](std::span<const Value> v) { return Gradient(Sum(Softplus(v, 3)[0]), v); };
  const auto want = [](std::span<const Value> v) {
    return Values{Logistic(v[0]) * 3.0 * v[1], Full(v[0].graph(), v[1].type(), 3)};
  };
  const std::vector<HostTensor> arguments = {Numbers({3}, 1), Numbers({}, 2)};
  ExpectSame(ours, want, arguments);
  // Of examples that share the second operand: what they owe it is summed.
  const std::vector<HostTensor> batch = {Numbers({2, 3}, 1), Numbers({}, 2)};
  const auto of_batch = [](std::span<const Value> v) {
    const Values y = Vmap([](auto x) { return Softplus(x, 3); }, v, {0, std::nullopt});
    return Gradient(Sum(y[0]), v);
  };
  const auto want_batch = [](std::span<const Value> v) {
    return Values{Logistic(v[0]) * 3.0 * v[1], Full(v[0].graph(), v[1].type(), 6)};
  };
  ExpectSame(of_batch, want_batch, batch);
}

// The rule is differentiated like any other expression, through what it keeps of the operands: themselves,
// what the function makes of them, and its results.
TEST(CustomGradient, HasGradientsOfItsOwn) {
  const auto softplus = [](std::span<const Value> v) {
    return Sum(CustomGradient(
        {v[0]},
        [](std::span<const Value> x) {
          const Value y = Log1p(Exp(x[0]));
          return WithResiduals{{y}, {y, Exp(-x[0])}};
        },
        [](std::span<const Value> r, std::span<const Value> dy) {
          return Values{dy[0] * (0.5 * (1.0 - Exp(-r[0])) + 0.5 / (1.0 + r[1]))};
        })[0]);
  };
  const std::vector<HostTensor> arguments = {Numbers({3}, 1)};
  const auto gradient = [](auto f) {
    return [f](std::span<const Value> v) { return Sum(Gradient(f(v), v)[0]); };
  };
  const auto result = [](auto f) { return [f](std::span<const Value> v) { return Values{f(v)}; }; };
  const auto plain = [](std::span<const Value> v) { return Sum(Log1p(Exp(v[0]))); };
  ExpectSame(result(softplus), result(plain), arguments);
  ExpectSame(result(gradient(softplus)), result(gradient(plain)), arguments, 1e-6);
  ExpectSame(result(gradient(gradient(softplus))), result(gradient(gradient(plain))), arguments, 1e-6);
  ExpectSame(result(gradient(gradient(gradient(softplus)))), result(gradient(gradient(gradient(plain)))),
             arguments, 1e-5);
  // Of a batch too, whose elements have no part in each other's.
  const auto batch = [](auto f) {
    return [f](std::span<const Value> v) { return Vmap([f](auto x) { return Values{f(x)}; }, v, {0}); };
  };
  ExpectSame(batch(gradient(gradient(softplus))), batch(gradient(gradient(plain))), arguments, 1e-6);
}

TEST(CustomGradient, SaysWhatDoesNotFit) {
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {3}}, "x");
  const auto forward = [](std::span<const Value> v) { return WithResiduals{{v[0]}, {}}; };
  EXPECT_EQ(ErrorOf([&] { return CustomGradient({x}, forward, [](auto, auto) { return Values{}; }); }),
            "custom_gradient: the way back gives 0 cotangents for 1 operands");
  EXPECT_EQ(
      ErrorOf([&] { return CustomGradient({x}, forward, [](auto, auto dy) { return Values{Sum(dy[0])}; }); }),
      "custom_gradient: the cotangent of operand 0 is f32[], not f32[3]");
}

}  // namespace
}  // namespace headrace::jit
