// Composites run, have gradients and batches: as their body.
#include "headrace/graph/ops/composite.h"

#include <gtest/gtest.h>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/verify.h"
#include "headrace/graph/vmap.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"

namespace headrace::jit {
namespace {

const TensorType kMatrix = {DType::kF32, {2, 3}};

Values Gate(std::span<const Value> x) { return {x[0] * Logistic(x[1]), Sum(x[0] - x[1])}; }

// The second operand depends on the first.
Values Plain(std::span<const Value> x) { return Gate(Values{x[0], Sin(x[0]) + x[1]}); }
Values Composed(std::span<const Value> x) { return Composite("gate", {x[0], Sin(x[0]) + x[1]}, Gate); }

std::vector<HostTensor> Run(const ValueFn& body) {
  const Function function = Trace("f", Types{kMatrix, kMatrix}, body);
  EXPECT_EQ(Verify(function).ToString(), "OK");
  const std::vector<HostTensor> arguments = {HostTensor::Of<float>({2, 3}, {1, -2, 3, 0.5f, 0, -1}),
                                             HostTensor::Of<float>({2, 3}, {0.1f, 2, -1, 1, 4, 0})};
  auto results = Evaluate(TestClient(), function, arguments);
  EXPECT_TRUE(results.ok()) << results.status().ToString();
  return results.ok() ? *results : std::vector<HostTensor>();
}

void ExpectSame(const ValueFn& composed, const ValueFn& plain) {
  const auto ours = Run(composed);
  const auto theirs = Run(plain);
  ASSERT_EQ(ours.size(), theirs.size());
  for (size_t i = 0; i < ours.size(); ++i) {
    ASSERT_EQ(ours[i].type(), theirs[i].type());
    // Fusion may round differently.
    for (int64_t k = 0; k < ours[i].size(); ++k)
      EXPECT_NEAR(ours[i].At(k), theirs[i].At(k), 1e-6) << i << ", " << k;
  }
}

TEST(Composite, RunsItsBody) { ExpectSame(Composed, Plain); }

TEST(Composite, HasTheGradientOfItsBody) {
  auto gradients = [](const ValueFn& body) {
    return [body](std::span<const Value> x) {
      const Values y = body(x);
      return Gradient(Sum(y[0] * y[0]) + y[1], x);
    };
  };
  ExpectSame(gradients(Composed), gradients(Plain));
}

// Only the second result has a cotangent.
TEST(Composite, TakesCotangentsOfSomeResults) {
  auto gradients = [](const ValueFn& body) {
    return [body](std::span<const Value> x) { return Gradient(body(x)[1], x); };
  };
  ExpectSame(gradients(Composed), gradients(Plain));
}

TEST(Composite, RunsOnBatches) {
  for (const auto& in_axes : {std::vector<std::optional<int>>{0, 0}, {0, std::nullopt}, {std::nullopt, 0}}) {
    auto batched = [&](const ValueFn& body) {
      return [body, &in_axes](std::span<const Value> x) {
        const Values rows = {in_axes[0] ? x[0] : Slice(x[0], 0, 0, 1),
                             in_axes[1] ? x[1] : Slice(x[1], 0, 0, 1)};
        return Vmap(body, rows, in_axes);
      };
    };
    ExpectSame(batched(Composed), batched(Plain));
  }
}

}  // namespace
}  // namespace headrace::jit
