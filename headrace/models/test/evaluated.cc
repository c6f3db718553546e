#include "headrace/models/test/evaluated.h"

#include <gtest/gtest.h>

#include "headrace/graph/ops.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"

namespace headrace::models {
namespace {

// Numbers between -0.4 and 0.4 that differ from place to place and from variable to variable.
Value Weights(Graph& graph, const TensorType& type, double number) {
  const Value places = Iota(graph, {DType::kF32, {type.shape.ElementCount()}}, 0);
  return Reshape(0.4 * Sin((places + 7 * number) * (1.3 + number)), type.shape);
}

}  // namespace

std::vector<nn::VariableSpec> VariablesOf(const ModelConfig& config) {
  Graph scratch;
  nn::Frame frame = nn::Frame::Declare(scratch);
  MakeLanguageModel(config, nn::Scope(frame));
  return frame.specs();
}

HostTensor Evaluated(const ModelConfig& config, bool train,
                     const std::function<Value(const LanguageModel&, Graph&)>& body) {
  const auto function = jit::TryTrace("run", Types{{DType::kU32, {2}}}, [&](std::span<const Value> a) {
    std::map<std::string, Value> variables;
    for (const nn::VariableSpec& spec : VariablesOf(config)) {
      const auto number = static_cast<double>(variables.size());
      variables.emplace(spec.name, Weights(a[0].graph(), spec.type, number));
    }
    nn::Frame frame = nn::Frame::Bind(a[0].graph(), variables, {.train = train, .key = a[0]});
    return Values{body(*MakeLanguageModel(config, nn::Scope(frame)), a[0].graph())};
  });
  EXPECT_TRUE(function.ok()) << function.status().ToString();
  const HostTensor key = HostTensor::Of<uint32_t>({2}, {0, 5});
  return jit::Evaluate(jit::TestClient(), *function, {&key, 1}).value().at(0);
}

}  // namespace headrace::models
