#include "headrace/graph/ops/layer_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/graph/test/live_ops.h"
#include "headrace/graph/verify.h"

namespace headrace {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

const TensorType kRow = {DType::kF32, {4}};
const TensorType kSquare = {DType::kF32, {4, 4}};

// x through layers with a weight each, and a shift that all share; all in the gradients.
Function Network(int64_t count) {
  Types types = {kRow, kRow};
  types.insert(types.end(), static_cast<size_t>(count), kSquare);
  return Trace("f", types, [&](std::span<const Value> a) {
    const Value shift = a[1];
    const auto layer = [&](int64_t i, Value x) {
      const Value product = Dot(x, a[static_cast<size_t>(i) + 2]);
      return Values{Tanh(product + shift), product};
    };
    const ScanResult result = ScanLayers(count, layer, a[0]);
    EXPECT_EQ(result.ys.at(0).shape(), (Shape{count, 4}));
    return Gradient(Sum(result.carry[0]), a);
  });
}

TEST(ScanLayers, TheProgramDoesNotGrowWithTheLayers) {
  const Function three = Network(3);
  EXPECT_TRUE(Verify(three).ok());
  EXPECT_EQ(three.results[2].shape(), kSquare.shape);
  EXPECT_THAT(LiveOps(three), Contains("scan"));
  const auto count_of = [](const Function& function, std::string_view op) {
    return std::ranges::count(LiveOps(function), op);
  };
  EXPECT_EQ(count_of(Network(9), "scan"), count_of(three, "scan"));
  EXPECT_EQ(count_of(Network(9), "dot_general"), count_of(three, "dot_general"));
}

TEST(ScanLayers, LayersMustDoTheSame) {
  const auto error_of = [](const LayerFn& layer) {
    return ErrorOf([&] {
      return Trace("f", Types{kRow, kSquare},
                   [&](std::span<const Value> a) { return ScanLayers(3, layer, a[0]).carry; });
    });
  };
  EXPECT_THAT(error_of([](int64_t i, Value x) { return Values{i == 2 ? Exp(x) : Tanh(x)}; }),
              HasSubstr("layer 2 does not do the same as the first"));
  EXPECT_THAT(error_of([](int64_t i, Value x) { return Values{x * static_cast<double>(i)}; }),
              HasSubstr("layer 1 does not do the same as the first"));
}

}  // namespace
}  // namespace headrace
