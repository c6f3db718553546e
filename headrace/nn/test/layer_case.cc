#include "headrace/nn/test/layer_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/reference_file.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"

namespace headrace::nn {
namespace {

void ExpectNear(const HostTensor& got, const HostTensor& want, double tolerance, const std::string& what) {
  SCOPED_TRACE(what);
  ASSERT_EQ(got.type(), want.type());
  for (int64_t i = 0; i < got.size(); ++i) {
    if (got.At(i) == want.At(i)) continue;  // infinities too
    ASSERT_NEAR(got.At(i), want.At(i), tolerance * (1 + std::abs(want.At(i)))) << "element " << i;
  }
}

bool IsResult(const std::string& name) {
  return name == "out" || name.starts_with("grad/") || name.starts_with("new/");
}

// One program whose arguments are the references themselves and whose results are those that it can compute.
class Comparison {
 public:
  Comparison(const LayerCase& layer, std::map<std::string, HostTensor> references)
      : layer_(layer), references_(std::move(references)) {
    for (const auto& [name, tensor] : references_) {
      names_.push_back(name);
      arguments_.push_back(tensor);
      types_.push_back(tensor.type());
    }
  }

  void Run() {
    ASSERT_FALSE(references_.empty());
    const auto function =
        jit::TryTrace("layer", types_, [&](std::span<const Value> values) { return Results(values); });
    ASSERT_TRUE(function.ok()) << function.status().ToString();
    const auto results = jit::Evaluate(jit::TestClient(), *function, arguments_);
    ASSERT_TRUE(results.ok()) << results.status().ToString();
    for (size_t i = 0; i < results->size(); ++i) {
      ExpectNear(results->at(i), references_.at(result_names_[i]), 5e-6, result_names_[i]);
    }
    EXPECT_EQ(results->size(), static_cast<size_t>(std::ranges::count_if(names_, IsResult)));
  }

 private:
  Values Results(std::span<const Value> values) {
    std::map<std::string, Value> variables;
    Values inputs, floats;
    Value seed;
    for (size_t i = 0; i < values.size(); ++i) {
      const std::string& name = names_[i];
      const std::string last = name.substr(name.rfind('/') + 1);
      const bool is_input = name.starts_with("in");
      const bool is_param = name.starts_with("param/");
      if (is_input) inputs.push_back(values[i]);
      if (is_param || name.starts_with("state/")) variables.emplace(last, values[i]);
      if (is_param || (is_input && IsFloat(values[i].dtype()))) {
        floats.push_back(values[i]);
        result_names_.push_back("grad/" + last);
      }
      if (name == "seed") seed = values[i];
    }
    Graph& graph = values[0].graph();
    Frame frame = Frame::Bind(graph, variables, {.train = layer_.train, .key = Key(graph, 7)});
    const Value out = layer_.apply(Scope(frame), inputs);
    Values results = Gradient(out, floats, seed);
    results.push_back(out);
    result_names_.emplace_back("out");
    for (const auto& [name, value] : frame.variables()) {
      if (!references_.contains("state/" + name)) continue;
      results.push_back(value);
      result_names_.push_back("new/" + name);
    }
    return results;
  }

  const LayerCase& layer_;
  std::map<std::string, HostTensor> references_;
  std::vector<std::string> names_, result_names_;
  std::vector<HostTensor> arguments_;
  Types types_;
};

}  // namespace

std::map<std::string, HostTensor> ReadCase(std::string_view file, const std::string& name) {
  std::map<std::string, HostTensor> tensors;
  for (auto& [full, tensor] : ReadReferences(std::string(file))) {
    if (full.starts_with(name + "/")) tensors.emplace(full.substr(name.size() + 1), tensor);
  }
  return tensors;
}

void ExpectEqualsReference(const LayerCase& layer, std::string_view file) {
  Comparison(layer, ReadCase(file, layer.name)).Run();
}

}  // namespace headrace::nn
