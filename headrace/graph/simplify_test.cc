#include "headrace/graph/simplify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/gradient.h"
#include "headrace/graph/module.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/live_ops.h"
#include "headrace/graph/verify.h"

namespace headrace {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

const TensorType kVector = {DType::kF32, {3}};

std::vector<std::string> SimplifiedOps(const ValueFn& body) {
  const Function simple = Simplify(Trace("f", Types{kVector, kVector}, body));
  EXPECT_EQ(Verify(simple).ToString(), "OK");
  return LiveOps(simple);
}

TEST(Simplify, MakesEqualExpressionsOnce) {
  EXPECT_THAT(SimplifiedOps([](auto x) { return Values{Exp(x[0] * x[1]), Sin(Exp(x[0] * x[1]))}; }),
              ElementsAre("multiply", "exp", "sine"));
  EXPECT_THAT(SimplifiedOps([](auto x) { return Values{(x[0] + 1.0) * (x[1] + 1.0)}; }),
              ElementsAre("constant", "broadcast_in_dim", "add", "add", "multiply"));
}

TEST(Simplify, TellsApartWhatDiffers) {
  EXPECT_THAT(SimplifiedOps([](auto x) { return Values{x[0] - x[1], x[1] - x[0]}; }),
              ElementsAre("subtract", "subtract"));
  EXPECT_THAT(SimplifiedOps([](auto x) { return Values{Slice(x[0], 0, 0, 1), Slice(x[0], 0, 0, 2)}; }),
              ElementsAre("slice", "slice"));
}

TEST(Simplify, MakesOneOfReshapesOrTranspositionsInARow) {
  const Types types = {{DType::kF32, {2, 3, 4}}};
  const auto ops = [&](const ValueFn& body) { return LiveOps(Simplify(Trace("f", types, body))); };
  EXPECT_THAT(ops([](auto x) { return Values{Reshape(Reshape(Reshape(x[0], {6, 4}), {24}), {4, 6})}; }),
              ElementsAre("reshape"));
  EXPECT_THAT(ops([](auto x) { return Values{Sin(Reshape(Reshape(x[0], {24}), {2, 3, 4}))}; }),
              ElementsAre("sine"));
  EXPECT_THAT(ops([](auto x) { return Values{Sin(Transpose(Transpose(x[0], {1, 2, 0}), {2, 0, 1}))}; }),
              ElementsAre("sine"));
  const Function turned = Simplify(
      Trace("f", types, [](auto x) { return Values{Transpose(Transpose(x[0], {1, 2, 0}), {1, 0, 2})}; }));
  EXPECT_THAT(LiveOps(turned), ElementsAre("transpose"));
  EXPECT_EQ(turned.results[0].node().op->ToString(), "transpose {permutation = [2, 1, 0]}");
}

// Before that, every value can be differentiated by.
TEST(Simplify, IsNotDoneWhileGradientsMayBeAsked) {
  const Types types = {{DType::kF32, {2, 3}}};
  const Function function = Trace("f", types, [](auto x) {
    const Value between = Reshape(x[0], {6});
    const Value turned = Transpose(Reshape(between, {3, 2}), {1, 0});
    const Value loss = Sum(Sin(Transpose(turned, {1, 0})));
    return Gradient(loss, Values{between, turned});
  });
  EXPECT_THAT(LiveOps(function), Contains("cosine").Times(1));
  for (Value gradient : function.results) EXPECT_NE(gradient.node().op->name(), "broadcast_in_dim");
}

TEST(Simplify, LeavesBarriersAndHeldFunctions) {
  EXPECT_THAT(SimplifiedOps([](auto x) {
                return Values{OptimizationBarrier({x[0]})[0], OptimizationBarrier({x[0]})[0]};
              }),
              ElementsAre("optimization_barrier", "optimization_barrier"));
}

TEST(Simplify, DropsWhatNothingNeedsAndKeepsParameters) {
  const std::vector<std::string> names = {"weight", "unused"};
  const Function function = Trace(
      "f", Types{kVector, kVector},
      [](std::span<const Value> x) {
        (void)Sin(x[1]);
        auto entered = x[0].graph().Enter("layers.0");
        return Values{Exp(x[0]), x[1]};
      },
      names);
  const Function simple = Simplify(function);
  EXPECT_EQ(simple.graph->nodes().size(), 3u);
  EXPECT_EQ(EmitModule(simple), EmitModule(function));  // names and scopes too
}

}  // namespace
}  // namespace headrace
