#include "headrace/models/test/original.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/reference_file.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"
#include "headrace/nn/losses.h"

namespace headrace::models {
namespace {

void ExpectNear(const HostTensor& got, const HostTensor& want, const std::string& what) {
  ASSERT_EQ(got.type(), want.type()) << what;
  double largest = 0;
  for (int64_t i = 0; i < want.size(); ++i) largest = std::max(largest, std::fabs(want.At(i)));
  for (int64_t i = 0; i < want.size(); ++i)
    ASSERT_NEAR(got.At(i), want.At(i), 2e-5 * (largest + 1e-2)) << what << ", element " << i;
}

bool IsResult(const std::string& key) {
  return key == "out" || key == "loss" || key.starts_with("grad/") || key.starts_with("new/");
}

// Without the prefix that everything of a GPT-2 but its output layer has, which loading takes off.
std::string VariableName(const std::string& name) {
  constexpr std::string_view kPrefix = "transformer.";
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

}  // namespace

Outcome OutcomeOf(const LanguageModel& model, const Inputs& in) {
  const Value tokens = in.at("in0");
  const Value logits = model(tokens);  // [B, T, V]
  const int64_t last = tokens.dim(1) - 1;
  return {logits, Mean(nn::CrossEntropy(Slice(logits, 1, 0, last), Slice(tokens, 1, 1, last + 1)))};
}

void ExpectEqualsOriginal(const OriginalCase& original, std::string_view file) {
  std::map<std::string, HostTensor> references;
  for (auto& [full, tensor] : ReadReferences(std::string(file))) {
    if (full.starts_with(original.name + "/"))
      references.emplace(full.substr(original.name.size() + 1), tensor);
  }
  ASSERT_FALSE(references.empty());

  std::vector<std::string> names, result_names = {"out", "loss"};
  std::vector<HostTensor> arguments;
  Types types;
  for (const auto& [key, tensor] : references) {
    if (IsResult(key)) continue;
    names.push_back(key);
    arguments.push_back(tensor);
    types.push_back(tensor.type());
  }
  const auto function = jit::TryTrace("f", types, [&](std::span<const Value> values) {
    std::map<std::string, Value> variables;
    Inputs inputs;
    Values parameters;
    for (size_t i = 0; i < values.size(); ++i) {
      const size_t slash = names[i].find('/');
      if (slash == std::string::npos) {
        inputs.emplace(names[i], values[i]);
        continue;
      }
      const std::string name = names[i].substr(slash + 1);
      variables.emplace(VariableName(name), values[i]);
      if (!names[i].starts_with("param/")) continue;
      result_names.push_back("grad/" + name);
      parameters.push_back(values[i]);
    }
    nn::Frame frame = nn::Frame::Bind(values[0].graph(), std::move(variables), {.train = original.train});
    const Outcome outcome = original.run(nn::Scope(frame), inputs);
    Value loss = outcome.loss;
    for (const Value& penalty : frame.penalties()) loss = loss + penalty;
    Values results = {outcome.out, loss};
    for (Value gradient : Gradient(loss, parameters)) results.push_back(gradient);
    for (const auto& [name, value] : frame.variables()) {
      if (!references.contains("new/" + name)) continue;
      result_names.push_back("new/" + name);
      results.push_back(value);
    }
    return results;
  });
  ASSERT_TRUE(function.ok()) << function.status().ToString();
  const auto results = jit::Evaluate(jit::TestClient(), *function, arguments);
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  for (size_t i = 0; i < results->size(); ++i)
    ExpectNear(results->at(i), references.at(result_names[i]), result_names[i]);
  const auto wanted = std::ranges::count_if(references, [](const auto& r) { return IsResult(r.first); });
  EXPECT_EQ(results->size(), static_cast<size_t>(wanted));
}

}  // namespace headrace::models
