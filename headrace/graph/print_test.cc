#include "headrace/graph/print.h"

#include <gtest/gtest.h>

#include "headrace/graph/ops.h"

namespace headrace {
namespace {

TEST(Print, ShowsScopesAndHeldFunctions) {
  const std::vector<std::string> names = {"x", "weight"};
  const Types types = {{DType::kF32, {4, 3}}, {DType::kF32, {3}}};
  const Function function = Trace(
      "total", types,
      [](std::span<const Value> v) {
        auto entered = v[0].graph().Enter("layers.0");
        return Scan([&](auto c, auto x) { return ScanResult{{c[0] + x[0] * v[1]}, {}}; }, {v[1]}, {v[0]})
            .carry;
      },
      names);
  EXPECT_EQ(ToText(function), R"(total(%0 x: f32[4, 3], %1 weight: f32[3]) {
  %2 = scan {body = @scan_body, carries = 1, xs = 1, length = 4, reverse = false, unroll = 1}(%1, %0, %1) : f32[3]  # layers.0
    scan_body(%0 arg0: f32[3], %1 arg1: f32[3], %2 weight: f32[3]) {
      %3 = multiply(%1, %2) : f32[3]  # layers.0
      %4 = add(%0, %3) : f32[3]  # layers.0
      return %4
    }
  return %2
}
)");
}

}  // namespace
}  // namespace headrace
