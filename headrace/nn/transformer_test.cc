// What transformers are made of, against flax and JAX (tools/reference/transformer.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"
#include "headrace/nn/activations.h"
#include "headrace/nn/attention.h"
#include "headrace/nn/embedding.h"
#include "headrace/nn/rms_norm.h"
#include "headrace/nn/rotary.h"
#include "headrace/nn/softmax.h"
#include "headrace/nn/test/layer_case.h"

namespace headrace::nn {
namespace {

using ::testing::HasSubstr;
using Operands = std::span<const Value>;

auto Rotated(int64_t turned, double base, RotaryPairs pairs) {
  return [=](Scope scope, Operands x) {
    const Value positions = x.size() > 1 ? x[1] : Iota(scope.graph(), {DType::kI32, {x[0].dim(1)}}, 0);
    return Rotate(x[0], MakeRotaryTable(positions, RotaryFrequencies(turned, base)), pairs);
  };
}

auto Attended(const AttentionOptions& options) {
  return [=](Scope, Operands x) { return Attention(x[0], x[1], x[2], options); };
}

Value Packed(Scope, Operands x) {
  return Attention(x[0], x[1], x[2], {.causal = true, .query_segments = x[3], .key_segments = x[4]});
}

const LayerCase kCases[] = {
    {"embedding", [](Scope scope, Operands x) { return Embedding(scope, 5, 3, Zeros())(x[0]); }},
    {"embedding_attend",
     [](Scope scope, Operands x) { return Embedding(scope, 5, 3, Zeros()).Attend(x[0]); }},
    {"rms_norm", Made<RmsNorm>(6)},
    {"rotary_halves", Rotated(8, 10000, RotaryPairs::kHalves)},
    {"rotary_neighbours", Rotated(8, 500, RotaryPairs::kNeighbours)},
    {"rotary_part", Rotated(4, 10000, RotaryPairs::kHalves)},
    {"rotary_positions", Rotated(8, 10000, RotaryPairs::kHalves)},
    {"attention", Attended({})},
    {"attention_causal", Attended({.causal = true})},
    {"attention_scaled", Attended({.scale = 0.7})},
    {"attention_window", Attended({.causal = true, .window = 3})},
    {"attention_grouped", Attended({})},
    {"attention_soft_cap", Attended({.causal = true, .soft_cap = 1.5})},
    {"attention_segments", Packed},
    {"attention_strangers", Packed},
    {"attention_offset",
     [](Scope, Operands x) { return Attention(x[0], x[1], x[2], {.causal = true, .offset = x[3]}); }},
    {"attention_dropout",
     [](Scope scope, Operands x) {
       return Attention(x[0], x[1], x[2], {.dropout = 0.3, .dropout_key = Key(scope.graph(), 11)});
     }},
    {"silu", Of(Silu)},
    {"gelu_quick", Of(GeluQuick)},
    {"swiglu", [](Scope, Operands x) { return SwiGlu(x[0], x[1]); }},
    {"geglu", [](Scope, Operands x) { return GeGlu(x[0], x[1]); }},
    {"masked_softmax", [](Scope, Operands x) { return MaskedSoftmax(x[0], Greater(x[1], ZerosLike(x[1]))); }},
    {"log_sum_exp_of_some", Of(LogSumExp)},
};

class Transformer : public ::testing::TestWithParam<LayerCase> {};

TEST_P(Transformer, EqualsJax) {
  ExpectEqualsReference(GetParam(), "headrace/nn/testdata/transformer.safetensors");
}

INSTANTIATE_TEST_SUITE_P(All, Transformer, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

TEST(LogSumExp, OfNothingButMinusInfinityIsThat) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const HostTensor x = HostTensor::Of<float>({2, 2}, {-kInfinity, -kInfinity, kInfinity, 1});
  const auto function =
      jit::TryTrace("sum", Types{x.type()}, [](Operands v) { return Values{LogSumExp(v[0])}; });
  const auto results = jit::Evaluate(jit::TestClient(), function.value(), {&x, 1});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_EQ(results->at(0).At(0), -kInfinity);
  EXPECT_EQ(results->at(0).At(1), kInfinity);
}

Value Heads(Graph& graph, Shape shape) { return graph.Parameter({DType::kF32, std::move(shape)}, "x"); }

TEST(Attention, SaysWhatDoesNotFit) {
  Graph graph;
  const Value q = Heads(graph, {2, 5, 4, 6});
  EXPECT_THAT(ErrorOf([&] { Attention(q, Heads(graph, {2, 5, 3, 6}), Heads(graph, {2, 5, 3, 6}), {}); }),
              HasSubstr("attention: 4 heads of queries do not divide over 3 of keys"));
  EXPECT_THAT(ErrorOf([&] { Attention(q, Heads(graph, {2, 5, 4, 8}), Heads(graph, {2, 5, 4, 8}), {}); }),
              HasSubstr("attention: queries [2, 5, 4, 6] and keys [2, 5, 4, 8] differ in batch or size"));
  EXPECT_THAT(ErrorOf([&] { Attention(q, q, q, {.window = 3}); }),
              HasSubstr("attention: a window needs causal attention"));
}

TEST(Attention, IsOneOperationThatTellsWhatItDoes) {
  Graph graph;
  const Value q = Heads(graph, {2, 5, 4, 4});
  const Value y = Attention(q, q, q, {.causal = true, .window = 3});
  EXPECT_THAT(y.node().op->ToString(), HasSubstr("causal = true, window = 3 : i64, scale = 5"));
}

TEST(Rotate, SaysWhatDoesNotFit) {
  Graph graph;
  const Value positions = Iota(graph, {DType::kI32, {5}}, 0);
  const RotaryTable table = MakeRotaryTable(positions, RotaryFrequencies(8, 10000));
  EXPECT_THAT(ErrorOf([&] { Rotate(Heads(graph, {2, 5, 4, 6}), table, RotaryPairs::kHalves); }),
              HasSubstr("rotate: the table turns 8 elements; a head has 6"));
}

}  // namespace
}  // namespace headrace::nn
