// Families whose original is written out in torch: outputs, losses, gradients and batch statistics at the
// same weights (tools/reference/torch_models.py).
#include <gtest/gtest.h>

#include "headrace/models/rnn.h"
#include "headrace/models/test/original.h"

namespace headrace::models {
namespace {

const RnnConfig kLstm{
    .cell = "lstm", .vocab_size = 11, .hidden_size = 6, .embedding_size = 5, .num_layers = 2};
const RnnConfig kTiedLstm{.cell = "lstm", .vocab_size = 11, .hidden_size = 6, .tie_word_embeddings = true};
const RnnConfig kGru{.cell = "gru", .vocab_size = 11, .hidden_size = 6, .embedding_size = 5, .num_layers = 2};

const OriginalCase kCases[] = {
    Decoder("lstm", kLstm),
    Decoder("lstm_tied", kTiedLstm),
    Decoder("gru", kGru),
};

class TorchModels : public ::testing::TestWithParam<OriginalCase> {};

TEST_P(TorchModels, EqualTheirOriginals) {
  ExpectEqualsOriginal(GetParam(), "headrace/models/testdata/torch_models.safetensors");
}

INSTANTIATE_TEST_SUITE_P(All, TorchModels, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace headrace::models
