// Losses against those of optax and JAX (tools/reference/losses.py).
#include <gtest/gtest.h>

#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/nn/contrastive.h"
#include "headrace/nn/cross_entropy.h"
#include "headrace/nn/ctc.h"
#include "headrace/nn/elementwise_losses.h"
#include "headrace/nn/test/layer_case.h"

namespace headrace::nn {
namespace {

using Operands = std::span<const Value>;

Value F32(Value x) { return Convert(x, DType::kF32); }

// A loss of a prediction and its target.
auto OfTwo(Value (*loss)(Value, Value)) {
  return [loss](Scope, Operands x) { return loss(x[0], x[1]); };
}

const LayerCase kCases[] = {
    {"token_cross_entropy",
     [](Scope, Operands x) { return CrossEntropy(x[0], x[1], {.smoothing = 0.1, .z_loss = 0.02}); }},
    {"chunked_cross_entropy", [](Scope, Operands x) { return ChunkedCrossEntropy(x[0], x[1], x[2], 2); }},
    {"sigmoid_cross_entropy", OfTwo(SigmoidCrossEntropy)},
    {"absolute_error", OfTwo(AbsoluteError)},
    {"huber", [](Scope, Operands x) { return Huber(x[0], x[1], 0.7); }},
    {"hinge", OfTwo(Hinge)},
    {"kl_divergence", [](Scope, Operands x) { return KlDivergence(x[0], F32(x[1]) * 0.25); }},  // of quarters
    {"contrastive_pairs", [](Scope, Operands x) { return ContrastivePairs(x[0], x[1], 0.5); }},
    {"nt_xent", [](Scope, Operands x) { return NtXent(x[0], x[1], 0.5); }},
    {"ctc", [](Scope, Operands x) { return CtcLoss(x[0], F32(x[1]), x[2], F32(x[3])); }},
};

class Losses : public ::testing::TestWithParam<LayerCase> {};

TEST_P(Losses, EqualOptax) { ExpectEqualsReference(GetParam(), "headrace/nn/testdata/losses.safetensors"); }

INSTANTIATE_TEST_SUITE_P(All, Losses, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

TEST(LossErrors, SayWhatDoesNotFit) {
  Graph graph;
  const Value hidden = graph.Parameter({DType::kF32, {6, 3}}, "hidden");
  const Value weight = graph.Parameter({DType::kF32, {5, 3}}, "weight");
  const Value labels = graph.Parameter({DType::kI32, {6}}, "labels");
  EXPECT_EQ(ErrorOf([&] { return ChunkedCrossEntropy(hidden, weight, labels, 4); }),
            "chunked_cross_entropy: 6 rows do not divide into chunks of 4");
  EXPECT_EQ(ErrorOf([&] { return CtcLoss(hidden, hidden, labels, labels); }),
            "ctc_loss: takes logits [B, T, classes] and labels [B, N], not f32[6, 3] and i32[6]");
  EXPECT_EQ(ErrorOf([&] { return ContrastivePairs(hidden, weight); }),
            "contrastive_pairs: takes two of [N, features], not f32[6, 3] and f32[5, 3]");
}

}  // namespace
}  // namespace headrace::nn
