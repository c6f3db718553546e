#include "headrace/graph/simplify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/module.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/live_ops.h"
#include "headrace/graph/verify.h"

namespace headrace {
namespace {

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
