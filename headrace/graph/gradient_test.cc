// The structure of gradients; their numbers are in jit/op_cases_test.cc.
#include "headrace/graph/gradient.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/graph/test/live_ops.h"
#include "headrace/graph/verify.h"

namespace headrace {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const TensorType kScalar = {DType::kF32, {}};
const TensorType kVector = {DType::kF32, {3}};

// The ops of the gradient of `body` with respect to all of its parameters.
std::vector<std::string> GradientOps(const Types& types,
                                     const std::function<Value(std::span<const Value>)>& body) {
  const Function function =
      Trace("gradient", types, [&](std::span<const Value> x) { return Gradient(body(x), x); });
  EXPECT_EQ(Verify(function).ToString(), "OK");
  return LiveOps(function);
}

TEST(Gradient, OfWhatDoesNotDependIsZero) {
  EXPECT_THAT(GradientOps({kScalar, kVector}, [](auto x) { return Exp(x[0]); }),
              ElementsAre("exp", "constant", "multiply", "constant", "broadcast_in_dim"));
}

TEST(Gradient, StopsAtStopGradient) {
  EXPECT_THAT(GradientOps({kScalar}, [](auto x) { return Exp(StopGradient(x[0])); }),
              ElementsAre("constant"));
}

TEST(Gradient, OfIntegersStops) {
  EXPECT_THAT(GradientOps({kScalar}, [](auto x) { return Convert(Convert(x[0], DType::kI32), DType::kF32); }),
              ElementsAre("constant"));
}

TEST(Gradient, AddsWhatComesOverSeveralPaths) {
  const auto ops = GradientOps({kScalar}, [](auto x) { return Sin(x[0]) + Cos(x[0]); });
  EXPECT_EQ(std::ranges::count(ops, "add"), 1);
}

TEST(Gradient, DoesNotWalkWhereNoInputIs) {
  EXPECT_THAT(GradientOps({kScalar},
                          [](auto x) {
                            const Value constant = Sin(Scalar(x[0].graph(), DType::kF32, 2));
                            return x[0] * constant;
                          }),
              Not(::testing::Contains("cosine")));
}

TEST(Gradient, OfMatrixProductsIsMatrixProducts) {
  const Types types = {{DType::kF32, {5, 2, 3}}, {DType::kF32, {5, 3, 4}}};
  const auto ops = GradientOps(
      types, [](auto x) { return Sum(DotGeneral(x[0], x[1], {{0}, {0}, {2}, {1}}, Precision::kHighest)); });
  EXPECT_EQ(std::ranges::count(ops, "dot_general"), 2);
  EXPECT_THAT(ops, Not(::testing::Contains("reduce")));
}

TEST(Gradient, OfProductsKeepsThePrecision) {
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {2, 2}}, "x");
  const size_t before = graph.nodes().size();
  (void)Gradient(Sum(Dot(x, x, Precision::kHighest)), {&x, 1});
  std::vector<std::string> products;
  for (size_t i = before; i < graph.nodes().size(); ++i) {
    const std::string op = graph.nodes()[i].op->ToString();
    if (op.starts_with("dot_general")) products.push_back(op);
  }
  EXPECT_EQ(products.size(), 3u);
  EXPECT_THAT(products, Each(HasSubstr("precision = HIGHEST")));
}

TEST(Gradient, IsAnExpressionThatHasGradients) {
  const Function function = Trace("second", Types{kScalar}, [](std::span<const Value> x) {
    const Value first = Gradient(x[0] * x[0] * x[0], x)[0];
    return Gradient(first, x);
  });
  EXPECT_EQ(Verify(function).ToString(), "OK");
}

TEST(Gradient, WithRespectToWhatWasComputed) {
  Graph graph;
  const Value x = graph.Parameter(kScalar, "x");
  const Value hidden = Exp(x);
  const Values gradients = Gradient(Sin(hidden), std::vector{x, hidden});
  EXPECT_EQ(gradients[1].type(), kScalar);
  EXPECT_NE(gradients[0], gradients[1]);
}

TEST(Gradient, OfTheInputItselfIsTheSeed) {
  Graph graph;
  const Value x = graph.Parameter(kVector, "x");
  const Value seed = graph.Parameter(kVector, "seed");
  EXPECT_EQ(Gradient(x, {&x, 1}, seed)[0], seed);
}

TEST(Gradient, OfSeveralOutputsTakesASeedEach) {
  Graph graph;
  const Value x = graph.Parameter(kVector, "x");
  const Value seed = graph.Parameter(kVector, "seed");
  const Values outputs = {x, Exp(x)};
  EXPECT_EQ(Gradient(outputs, {&x, 1}, Values{seed, Value()})[0], seed);  // an empty seed is zero
}

TEST(Gradient, NamesTheScopeOfWhatItDifferentiates) {
  Graph graph;
  const Value x = graph.Parameter(kScalar, "x");
  Value y;
  {
    auto entered = graph.Enter("layers.2/mlp");
    y = Sin(x);
  }
  const size_t before = graph.nodes().size();
  (void)Gradient(y, {&x, 1});
  std::vector<std::string> scopes;
  for (size_t i = before + 1; i < graph.nodes().size(); ++i) scopes.push_back(graph.nodes()[i].scope);
  EXPECT_THAT(scopes, Each("gradient/layers.2/mlp"));
}

TEST(Gradient, OfACompositeCountsDependentOperandsOnce) {
  // d/dx of x · e^x, through a composite whose second operand depends on its first: two terms, not three.
  const auto ops = GradientOps({kScalar}, [](auto x) {
    return Composite("product", {x[0], Exp(x[0])}, [](auto v) { return Values{v[0] * v[1]}; })[0];
  });
  EXPECT_EQ(std::ranges::count(ops, "add"), 1);
}

TEST(Gradient, OfABarrierIsABarrier) {
  const auto ops = GradientOps({kScalar, kScalar}, [](auto x) {
    const Values held = OptimizationBarrier({x[0], x[1]});
    return Sin(held[0]);
  });
  EXPECT_EQ(std::ranges::count(ops, "optimization_barrier"), 2);
}

TEST(Gradient, SaysWhatHasNone) {
  Graph graph;
  const Value x = graph.Parameter(kVector, "x");
  const Value n = graph.Parameter({DType::kI32, {}}, "n");
  const Value seed = graph.Parameter(kScalar, "seed");
  const Values xs = {x};
  EXPECT_EQ(ErrorOf([&] { return Gradient(n, xs); }),
            "gradient: the output is i32[], which is not floating-point");
  EXPECT_EQ(ErrorOf([&] { return Gradient(x, xs); }),
            "gradient: the output is f32[3]; it must be a scalar, or come with a seed");
  EXPECT_EQ(ErrorOf([&] { return Gradient(x, xs, seed); }), "gradient: the seed is f32[], the output f32[3]");
  EXPECT_EQ(ErrorOf([&] { return Gradient(Sum(x), {&n, 1}); }),
            "gradient: with respect to i32[], which is not floating-point");
  EXPECT_EQ(ErrorOf([&] { return Gradient(Values{n}, xs, Values{n}); }),
            "gradient: output 0 is i32[], which is not floating-point");

  auto entered = graph.Enter("layers.0");
  const Value called = CustomCall(graph, {x}, {.target = "fast_sum", .results = {kScalar}})[0];
  EXPECT_EQ(
      ErrorOf([&] { return Gradient(called, xs); }),
      "custom_call: fast_sum has no gradient; wrap it in a composite, or stop the gradient before it (in "
      "layers.0)");
  const GatherDims rows{.collapsed_dims = {0}, .start_index_map = {0}};
  const Value set = Scatter(x, n, seed, rows, ScatterMode::kSet);
  EXPECT_EQ(ErrorOf([&] { return Gradient(Sum(set), xs); }),
            "scatter: 'set' of indices that may meet has no gradient; use 'add' (in layers.0)");
  const Value largest = Scatter(x, n, seed, rows, ScatterMode::kMax);
  EXPECT_EQ(ErrorOf([&] { return Gradient(Sum(largest), xs); }),
            "scatter: 'maximum' of updates has no gradient; use 'add' (in layers.0)");
}

}  // namespace
}  // namespace headrace
