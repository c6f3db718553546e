// Families whose original is in Hugging Face's transformers: outputs, losses and gradients at the same
// weights (tools/reference/transformers_models.py).
#include <gtest/gtest.h>

#include "headrace/graph/ops.h"
#include "headrace/models/bert.h"
#include "headrace/models/gpt.h"
#include "headrace/models/llama.h"
#include "headrace/models/test/original.h"
#include "headrace/models/vit.h"
#include "headrace/nn/losses.h"

namespace headrace::models {
namespace {

constexpr std::string_view kFile = "headrace/models/testdata/transformers.safetensors";

const LlamaConfig kLlama{.vocab_size = 11,
                         .hidden_size = 16,
                         .intermediate_size = 20,
                         .num_hidden_layers = 2,
                         .num_attention_heads = 4,
                         .num_key_value_heads = 2,
                         .max_position_embeddings = 9,
                         .rms_norm_eps = 1e-5};

LlamaConfig TiedLlama() {
  LlamaConfig config = kLlama;
  config.num_key_value_heads.reset();
  config.tie_word_embeddings = true;
  config.rope_theta = 500;
  return config;
}

LlamaConfig Mixtral(std::optional<double> capacity_factor) {
  LlamaConfig config = kLlama;
  config.moe = {.experts = 4, .top_k = 2, .capacity_factor = capacity_factor, .aux_loss_coef = 0.1};
  return config;
}

Outcome OfBert(nn::Scope scope, const Inputs& in) {
  const BertConfig config{.vocab_size = 11,
                          .hidden_size = 8,
                          .intermediate_size = 12,
                          .num_hidden_layers = 2,
                          .num_attention_heads = 2,
                          .max_position_embeddings = 9};
  const Value mask = in.at("in2");
  const Value hidden = Bert(config, scope)(in.at("in0"), in.at("in1"), mask);
  const Value out =
      hidden * ExpandDims(Convert(mask, DType::kF32), -1);  // of padding there is nothing to compare
  return {out, Sum(out * in.at("seed"))};
}

Outcome OfVit(nn::Scope scope, const Inputs& in) {
  const VitConfig config{.classes = 5,
                         .image_size = 12,
                         .patch_size = 4,
                         .hidden_size = 8,
                         .num_hidden_layers = 2,
                         .num_attention_heads = 2,
                         .intermediate_size = 12};
  const Value logits = (*config.Make(scope, {12, 12, 3}))(in.at("in0"));
  return {logits, Mean(nn::CrossEntropy(logits, in.at("in1")))};
}

const OriginalCase kCases[] = {
    Decoder("gpt", GptConfig{.vocab_size = 11, .n_positions = 9, .n_embd = 8, .n_layer = 2, .n_head = 2}),
    Decoder("llama", kLlama),
    Decoder("llama_tied", TiedLlama()),
    Decoder("mixtral", Mixtral({})),
    {"bert", OfBert},
    {"vit", OfVit},
};

class Transformers : public ::testing::TestWithParam<OriginalCase> {};

TEST_P(Transformers, EqualTheirOriginals) { ExpectEqualsOriginal(GetParam(), kFile); }

INSTANTIATE_TEST_SUITE_P(All, Transformers, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

// Twice an even share of 2 choices among 4 experts is room for every token.
TEST(MixtureOfExperts, IsTheSameByPlacesWhereNoneIsLost) {
  ExpectEqualsOriginal(Decoder("mixtral", Mixtral(2.0)), kFile);
}

TEST(MixtureOfExperts, SaysWhatDoesNotFit) {
  const MixtureConfig config{.experts = 4, .top_k = 5};
  EXPECT_EQ(config.Validate().message(), "top_k: 5 of 4 experts cannot be chosen");
}

}  // namespace
}  // namespace headrace::models
