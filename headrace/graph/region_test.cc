// Ops that are given functions of scalars: how they are written, and what they say of functions that do not
// fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/module.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/golden.h"
#include "headrace/graph/test/graph_error.h"

namespace headrace {
namespace {

Values AddThem(std::span<const Value> a, std::span<const Value> b) { return {a[0] + b[0]}; }
Values AddBoth(std::span<const Value> a, std::span<const Value> b) { return {a[0] + b[0], a[1] + b[1]}; }

TEST(Region, IsTheFunction) {
  const TensorType vector = {DType::kF32, {4}};
  const Types types = {vector, {DType::kI32, {4}}, {DType::kF32, {}}, {DType::kI32, {}}};
  const Function function = Trace("regions", types, [](std::span<const Value> x) {
    const Values two = ReduceBy(AddBoth, {x[0], x[1]}, {x[2], x[3]}, {0});
    const Values windows = ReduceWindowBy(AddThem, {x[0]}, {x[2]}, {.size = {2}});
    const GatherDims dims = {.collapsed_dims = {0}, .start_index_map = {0}, .index_vector_dim = 1};
    const Value scattered = ScatterBy(AddThem, x[0], x[1], x[0], dims);
    const auto before = [](std::span<const Value> v) { return Values{Less(v[0], v[1])}; };
    return Values{two[0], two[1], windows[0], scattered, SortBy(before, {x[0]})[0]};
  });
  ExpectGolden("headrace/graph/testdata/emission/regions.mlir", EmitModule(function));
}

TEST(Region, SaysWhatFunctionsMustGive) {
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {4}}, "x");
  const Value zero = Scalar(graph, DType::kF32, 0);
  EXPECT_EQ(ErrorOf([&] { ReduceBy(AddThem, {x}, {}, {0}); }),
            "reduce_by(f32[4]): takes values and a scalar for each");
  EXPECT_EQ(ErrorOf([&] { ReduceBy(AddThem, {x}, {x}, {0}); }),
            "reduce_by(f32[4], f32[4]): init 0 is f32[4]; it must be f32[]");
  EXPECT_EQ(ErrorOf([&] { ReduceBy(AddThem, {x}, {zero}, {1}); }),
            "reduce_by(f32[4], f32[]): dims [1] are not distinct dimensions of it");
  EXPECT_EQ(ErrorOf([&] { ReduceBy(AddBoth, {x, zero}, {zero, zero}, {0}); }),
            "reduce_by(f32[4], f32[], f32[], f32[]): shapes differ");
  EXPECT_EQ(
      ErrorOf([&] { ReduceBy([](auto a, auto b) { return Values{Less(a[0], b[0])}; }, {x}, {zero}, {0}); }),
      "reduce_by(f32[4], f32[]): the function gives pred[]; it must give f32[]");
  EXPECT_EQ(ErrorOf([&] { ReduceBy([](auto, auto) { return Values(); }, {x}, {zero}, {0}); }),
            "reduce_by(f32[4], f32[]): the function gives nothing; it must give f32[]");
  EXPECT_EQ(ErrorOf([&] { ReduceBy([&](auto a, auto) { return Values{a[0] + zero}; }, {x}, {zero}, {0}); }),
            "add: an operand belongs to another graph; pass it in as an argument");
  EXPECT_EQ(
      ErrorOf([&] { ReduceWindowBy(AddThem, {x}, {zero}, {.size = {2, 2}}); }),
      "reduce_window_by(f32[4], f32[]): window [2, 2] must be 1 positive numbers, one a dimension that the "
      "window slides over");
}

}  // namespace
}  // namespace headrace
