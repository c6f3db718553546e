#include "headrace/graph/ops/custom_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/module.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/golden.h"

namespace headrace {
namespace {

// Gradient and batching refuse: gradient_test.cc and vmap_test.cc.
TEST(CustomCall, IsWrittenForTheTypedInterface) {
  const TensorType vector = {DType::kF32, {3}};
  const Function function = Trace("calls", Types{vector}, [&](std::span<const Value> x) {
    Graph& graph = x[0].graph();
    const Values two = CustomCall(graph, {x[0], x[0]},
                                  {.target = "hr.norm",
                                   .results = {vector, {DType::kF32, {}}},
                                   .backend_config = "eps = 1.0e-5 : f32"});
    const Values none = CustomCall(
        graph, {}, {.target = "hr.clock", .results = {{DType::kI64, {}}}, .has_side_effect = true});
    return Values{two[0], two[1], none[0]};
  });
  ExpectGolden("headrace/graph/testdata/emission/custom_calls.mlir", EmitModule(function));
}

}  // namespace
}  // namespace headrace
