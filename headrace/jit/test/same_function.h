// ExpectSame: two functions that are written differently give the same numbers. For tests only.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "headrace/graph/verify.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"

namespace headrace::jit {

// Results of `body` on the arguments, after a check of the graph that it builds.
inline std::vector<HostTensor> RunOn(const ValueFn& body, const std::vector<HostTensor>& arguments) {
  Types types;
  for (const HostTensor& argument : arguments) types.push_back(argument.type());
  const Function function = Trace("f", types, body);
  EXPECT_EQ(Verify(function).ToString(), "OK");
  auto results = Evaluate(TestClient(), function, arguments);
  EXPECT_TRUE(results.ok()) << results.status().ToString();
  return results.ok() ? *std::move(results) : std::vector<HostTensor>();
}

// `tolerance`, absolute and relative: what f32 loses when the compiler fuses in another order.
inline void ExpectSame(const ValueFn& ours, const ValueFn& plain, const std::vector<HostTensor>& arguments,
                       double tolerance = 2e-6) {
  const auto here = RunOn(ours, arguments);
  const auto there = RunOn(plain, arguments);
  ASSERT_EQ(here.size(), there.size());
  for (size_t i = 0; i < here.size(); ++i) {
    ASSERT_EQ(here[i].type(), there[i].type()) << "result " << i;
    for (int64_t k = 0; k < here[i].size(); ++k) {
      const double want = there[i].At(k);
      EXPECT_NEAR(here[i].At(k), want, tolerance * (1 + std::abs(want)))
          << "result " << i << ", element " << k;
    }
  }
}

// A tensor of small numbers without a pattern, from `seed`.
inline HostTensor Numbers(const Shape& shape, uint32_t seed) {
  HostTensor tensor({DType::kF32, shape});
  uint32_t state = seed * 2654435761u + 1;
  for (float& x : tensor.mutable_data<float>()) {
    state = state * 1664525u + 1013904223u;
    x = static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
  }
  return tensor;
}

}  // namespace headrace::jit
