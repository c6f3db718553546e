// Recurrent layers against torch's (tools/reference/recurrent.py).
#include "headrace/nn/recurrent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/nn/test/layer_case.h"

namespace headrace::nn {
namespace {

using ::testing::HasSubstr;
using Operands = std::span<const Value>;
constexpr RecurrentCell kLstm = RecurrentCell::kLstm, kGru = RecurrentCell::kGru;

auto Made(RecurrentCell cell, const RecurrentOptions& options) {
  return [=](Scope scope, Operands x) { return Recurrent(scope, cell, 3, 4, options)(x[0]); };
}

// The output and the last states of two layers, all elements behind each other.
auto WithStates(RecurrentCell cell) {
  return [=](Scope scope, Operands x) {
    Values state(x.begin() + 1, x.end());
    Values parts = {Recurrent(scope, cell, 3, 4, {.layers = 2})(x[0], state)};
    parts.insert(parts.end(), state.begin(), state.end());
    for (Value& part : parts) part = Reshape(part, Ints{-1});
    return Concatenate(parts, 0);
  };
}

// The gradient of half the sum of the squared outputs.
auto GradientOf(RecurrentCell cell) {
  return [=](Scope scope, Operands x) {
    const Value y = Recurrent(scope, cell, 3, 4)(x[0]);
    return Gradient(y, x, y).at(0);
  };
}

const LayerCase kCases[] = {
    {"lstm", Made(kLstm, {})},
    {"lstm_deep", Made(kLstm, {.layers = 3})},
    {"lstm_bidirectional", Made(kLstm, {.layers = 2, .bidirectional = true})},
    {"lstm_states", WithStates(kLstm)},
    {"lstm_gradient", GradientOf(kLstm)},
    {"gru", Made(kGru, {})},
    {"gru_deep", Made(kGru, {.layers = 3})},
    {"gru_bidirectional", Made(kGru, {.layers = 2, .bidirectional = true})},
    {"gru_states", WithStates(kGru)},
    {"gru_gradient", GradientOf(kGru)},
};

class RecurrentLayers : public ::testing::TestWithParam<LayerCase> {};

TEST_P(RecurrentLayers, EqualTorch) {
  ExpectEqualsReference(GetParam(), "headrace/nn/testdata/recurrent.safetensors");
}

INSTANTIATE_TEST_SUITE_P(All, RecurrentLayers, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

// A layer that draws random numbers asks for a key, which is missing here.
TEST(Recurrent, DropsBetweenLayersOnlyAndOnlyInTraining) {
  const auto error = [](int64_t layers, bool train) {
    return ErrorOf([&] {
      const auto build = [&](Frame frame) {
        Recurrent(Scope(frame, "rnn"), kLstm, 3, 4,
                  {.layers = layers, .dropout = 0.5})(frame.graph().Parameter({DType::kF32, {2, 5, 3}}, "x"));
        return frame.variables();
      };
      Graph graph;
      build(Frame::Bind(graph, build(Frame::Declare(graph)), {.train = train}));
    });
  };
  EXPECT_THAT(error(2, true), HasSubstr("draws random numbers, but the trace has no key (in rnn.dropout.1)"));
  EXPECT_EQ(error(2, false), "");
  EXPECT_EQ(error(1, true), "");
}

}  // namespace
}  // namespace headrace::nn
