// Families whose original is written out in torch: outputs, losses, gradients and batch statistics at the
// same weights (tools/reference/torch_models.py).
#include <gtest/gtest.h>

#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/models/rnn.h"
#include "headrace/models/test/original.h"
#include "headrace/models/unet.h"
#include "headrace/nn/losses.h"

namespace headrace::models {
namespace {

const RnnConfig kLstm{
    .cell = "lstm", .vocab_size = 11, .hidden_size = 6, .embedding_size = 5, .num_layers = 2};
const RnnConfig kTiedLstm{.cell = "lstm", .vocab_size = 11, .hidden_size = 6, .tie_word_embeddings = true};
const RnnConfig kGru{.cell = "gru", .vocab_size = 11, .hidden_size = 6, .embedding_size = 5, .num_layers = 2};

// Classes of pixels, and their mean cross-entropy.
Outcome OfUnet(nn::Scope scope, const Inputs& in) {
  const Value logits = Unet({.classes = 5, .width = 4, .levels = 2}, scope, 3)(in.at("in0"));
  return {logits, Mean(nn::CrossEntropy(logits, in.at("in1")))};
}

const OriginalCase kCases[] = {
    Decoder("lstm", kLstm), Decoder("lstm_tied", kTiedLstm),        Decoder("gru", kGru),
    {"unet", OfUnet},       {"unet_eval", OfUnet, /*train=*/false},
};

class TorchModels : public ::testing::TestWithParam<OriginalCase> {};

TEST_P(TorchModels, EqualTheirOriginals) {
  ExpectEqualsOriginal(GetParam(), "headrace/models/testdata/torch_models.safetensors");
}

INSTANTIATE_TEST_SUITE_P(All, TorchModels, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

TEST(Unet, SaysWhatDoesNotFit) {
  Graph graph;
  nn::Frame frame = nn::Frame::Declare(graph);
  const Unet unet({.width = 4, .levels = 2}, nn::Scope(frame), 3);
  const Value x = graph.Parameter({DType::kF32, {2, 8, 10, 3}}, "images");
  EXPECT_EQ(ErrorOf([&] { unet(x); }),
            "unet: takes images [N, height, width, channels] whose height and width are multiples of 4, not "
            "[2, 8, 10, 3]");
}

}  // namespace
}  // namespace headrace::models
