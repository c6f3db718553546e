// Elements: what an expression computes, as numbers. For tests only.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"

namespace headrace::jit {

// The elements of what `body` makes of `arguments`, widened, in row-major order.
inline std::vector<double> Elements(const std::vector<HostTensor>& arguments,
                                    const std::function<Value(std::span<const Value>)>& body) {
  Types types;
  for (const HostTensor& argument : arguments) types.push_back(argument.type());
  const Function function = Trace("f", types, [&](std::span<const Value> x) { return Values{body(x)}; });
  const auto results = Evaluate(TestClient(), function, arguments);
  if (!results.ok()) {
    ADD_FAILURE() << results.status().ToString();
    return {};
  }
  std::vector<double> elements;
  for (int64_t i = 0; i < results->at(0).size(); ++i) elements.push_back(results->at(0).At(i));
  return elements;
}

}  // namespace headrace::jit
