// The structure of batches; their numbers are in jit/op_cases_test.cc.
#include "headrace/graph/vmap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/graph/test/live_ops.h"
#include "headrace/graph/verify.h"

namespace headrace {
namespace {

using ::testing::ElementsAre;

const TensorType kBatch = {DType::kF32, {8, 3}};
const TensorType kVector = {DType::kF32, {3}};

using Axes = std::vector<std::optional<int>>;

Function Batched(const Types& types, const ValueFn& body, const Axes& in_axes, int out_axis = 0) {
  Function function =
      Trace("batched", types, [&](std::span<const Value> x) { return Vmap(body, x, in_axes, out_axis); });
  EXPECT_EQ(Verify(function).ToString(), "OK");
  return function;
}

Values Square(std::span<const Value> x) { return {x[0] * x[0]}; }

TEST(Vmap, PutsTheBatchWhereItIsAsked) {
  const Types types = {{DType::kF32, {2, 8, 3}}};
  EXPECT_EQ(Batched(types, Square, {1}).results[0].shape(), Shape({8, 2, 3}));
  EXPECT_EQ(Batched(types, Square, {-2}, 2).results[0].shape(), Shape({2, 3, 8}));
  EXPECT_EQ(Batched(types, Square, {1}, -1).results[0].shape(), Shape({2, 3, 8}));
  EXPECT_THAT(LiveOps(Batched(types, Square, {0})), ElementsAre("multiply"));  // nothing to move
}

TEST(Vmap, ComputesOnceWhatAllExamplesShare) {
  const Function function =
      Batched({kVector, kBatch}, [](std::span<const Value> x) { return Values{Exp(x[0]) + x[1]}; },
              {std::nullopt, 0});
  const auto nodes = LiveNodes(function.results);
  EXPECT_EQ(nodes[0]->op->name(), "exp");
  EXPECT_EQ(nodes[0]->types[0], kVector);
}

TEST(Vmap, RepeatsResultsThatDoNotDependOnTheExample) {
  const Function function = Batched(
      {kVector, kBatch}, [](std::span<const Value> x) { return Values{Exp(x[0]), x[1]}; }, {std::nullopt, 0});
  EXPECT_EQ(function.results[0].shape(), Shape({8, 3}));
}

TEST(Vmap, OfAProductWithSharedWeightsIsOneProduct) {
  const Function function =
      Batched({kBatch, {DType::kF32, {3, 4}}},
              [](std::span<const Value> x) { return Values{Dot(x[0], x[1])}; }, {0, std::nullopt});
  EXPECT_THAT(LiveOps(function), ElementsAre("dot_general"));
  EXPECT_EQ(function.results[0].shape(), Shape({8, 4}));
}

TEST(Vmap, Nests) {
  auto outer_product = [](std::span<const Value> x) {
    return Vmap([&](std::span<const Value> y) { return Values{y[0] * y[1]}; }, x, Axes{0, std::nullopt});
  };
  const Function function = Batched({kBatch, {DType::kF32, {8, 4}}}, outer_product, {0, 0});
  EXPECT_EQ(function.results[0].shape(), Shape({8, 3, 4}));
}

TEST(Vmap, OfGradientsGivesOneAnExample) {
  auto gradient = [](std::span<const Value> x) { return Gradient(Sum(Sin(x[0])), x.first(1)); };
  EXPECT_EQ(Batched({kBatch}, gradient, {0}).results[0].shape(), kBatch.shape);
}

TEST(Vmap, KeepsScopes) {
  const Function function = Batched({kBatch},
                                    [](std::span<const Value> x) {
                                      auto entered = x[0].graph().Enter("mlp");
                                      return Values{Tanh(x[0])};
                                    },
                                    {0});
  EXPECT_EQ(function.results[0].node().scope, "mlp");
}

TEST(Vmap, LeavesTheBatchOfAConstraintOpen) {
  const Sharding rows{{{"tensor"}}};
  const Function function =
      Batched({kBatch}, [&](std::span<const Value> x) { return Values{ConstrainSharding(x[0], rows)}; }, {0});
  EXPECT_EQ(function.results[0].node().op->ToString(), R"(sharding_constraint {dims = ["?", "tensor"]})");
}

TEST(Vmap, SaysWhatDoesNotFit) {
  Graph graph;
  const Values x = {graph.Parameter(kBatch, "x"), graph.Parameter({DType::kF32, {7, 3}}, "y")};
  auto call = [&](Axes axes) { return ErrorOf([&] { return Vmap(Square, x, axes); }); };
  EXPECT_EQ(call({0}), "vmap: 2 arguments but 1 in_axes");
  EXPECT_EQ(call({0, 0}), "vmap: argument 1 has 7 examples, those before it 8");
  EXPECT_EQ(call({0, 2}), "vmap: in_axes[1] is 2, but the argument is f32[7, 3]");
  EXPECT_EQ(call({std::nullopt, std::nullopt}), "vmap: no argument has a batch axis");
  auto custom = [&](std::span<const Value> v) {
    return CustomCall(v[0].graph(), {v[0]}, {.target = "fast_sum", .results = {kVector}});
  };
  auto entered = graph.Enter("layers.0");
  EXPECT_EQ(ErrorOf([&] { return Vmap(custom, x, Axes{0, std::nullopt}); }),
            "custom_call: fast_sum has no batching rule; wrap it in a composite (in layers.0)");
}

}  // namespace
}  // namespace headrace
