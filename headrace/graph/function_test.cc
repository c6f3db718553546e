#include "headrace/graph/function.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/graph/test/live_ops.h"
#include "headrace/graph/verify.h"

namespace headrace {
namespace {

const TensorType kVector = {DType::kF32, {3}};

TEST(Function, TracesParametersByName) {
  const std::vector<std::string> names = {"weight"};
  const Function function = Trace(
      "f", Types{kVector, kVector}, [](std::span<const Value> x) { return Values{x[0] * x[1]}; }, names);
  EXPECT_EQ(function.parameters()[0].node().scope, "weight");
  EXPECT_EQ(function.parameters()[1].node().scope, "arg1");
  EXPECT_TRUE(Verify(function).ok());
}

TEST(Function, RefusesEmptyResults) {
  EXPECT_EQ(ErrorOf([] {
              return Trace("f", Types{kVector}, [](std::span<const Value>) { return Values{Value()}; });
            }),
            "f: a result is empty");
}

TEST(Function, LiveNodesAreThoseThatResultsNeed) {
  const Function function = Trace("f", Types{kVector}, [](std::span<const Value> x) {
    const Value used = Exp(x[0]);
    (void)Sin(used);
    return Values{Tanh(used), x[0]};
  });
  EXPECT_THAT(LiveOps(function), ::testing::ElementsAre("exp", "tanh"));
}

TEST(Function, UsesWhatItsOpsHold) {
  const Function function = Trace("f", Types{kVector}, [](std::span<const Value> x) {
    (void)Sin(x[0]);
    const auto step = [](std::span<const Value> carry, std::span<const Value>) {
      return ScanResult{{Exp(carry[0])}, {}};
    };
    return Scan(step, {Tanh(x[0])}, {}, {.length = 3}).carry;
  });
  EXPECT_TRUE(Uses(function, "tanh"));
  EXPECT_TRUE(Uses(function, "exp"));  // in the loop
  EXPECT_FALSE(Uses(function, "sin"));
}

TEST(Function, InlinesLiveNodesUnderTheScope) {
  const Function inner = Trace("inner", Types{kVector}, [](std::span<const Value> x) {
    (void)Sin(x[0]);
    auto entered = x[0].graph().Enter("mlp");
    return Values{Tanh(x[0]), x[0]};
  });
  const Function outer = Trace("outer", Types{kVector}, [&](std::span<const Value> x) {
    auto entered = x[0].graph().Enter("layers.1");
    const Value argument = Exp(x[0]);
    const Values results = Inline(inner, {&argument, 1}, x[0].graph());
    EXPECT_EQ(results[1], argument);
    EXPECT_EQ(results[0].node().scope, "layers.1/mlp");
    return results;
  });
  EXPECT_THAT(LiveOps(outer), ::testing::ElementsAre("exp", "tanh"));
  EXPECT_TRUE(Verify(outer).ok());
}

}  // namespace
}  // namespace headrace
