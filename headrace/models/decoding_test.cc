// Language models position by position, as text is generated.
#include <gtest/gtest.h>

#include "headrace/graph/ops.h"
#include "headrace/models/test/evaluated.h"

namespace headrace::models {
namespace {

Value Tokens(Graph& graph) {
  return Constant(graph, HostTensor::Of<int32_t>({2, 6}, {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}));
}

const GptConfig kGpt{.vocab_size = 11, .n_positions = 9, .n_embd = 8, .n_layer = 2, .n_head = 2};
const LlamaConfig kLlama{.vocab_size = 11,
                         .hidden_size = 16,
                         .intermediate_size = 20,
                         .num_hidden_layers = 2,
                         .num_attention_heads = 4,
                         .num_key_value_heads = 2,
                         .max_position_embeddings = 9};
LlamaConfig Mixture() {
  LlamaConfig config = kLlama;
  config.moe = {.experts = 3, .top_k = 2, .capacity_factor = 0.5};  // which is for training
  return config;
}

const RnnConfig kLstm{.cell = "lstm", .vocab_size = 11, .hidden_size = 6, .num_layers = 2};
const RnnConfig kGru{.cell = "gru", .vocab_size = 11, .hidden_size = 6, .num_layers = 2};

struct Family {
  std::string name;
  ModelConfig config;
  double before = 7;  // in the cache: positions that are not reached must not matter, a state begins as 0
};
void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

class Decoding : public ::testing::TestWithParam<Family> {};

// However the tokens are cut up, the logits are those of the whole.
TEST_P(Decoding, EqualsTheWholeForwardPass) {
  for (const std::vector<int64_t>& parts : {std::vector<int64_t>{1, 1, 1, 1, 1, 1}, {4, 1, 1}, {6}}) {
    const HostTensor difference =
        Evaluated(GetParam().config, false, [&](const LanguageModel& model, Graph& graph) {
          Values cache;
          for (const TensorType& type : model.CacheTypes(2, 9))
            cache.push_back(Full(graph, type, GetParam().before));
          Values logits;
          int64_t at = 0;
          for (int64_t length : parts) {
            const Value position = Scalar(graph, DType::kI32, static_cast<double>(at));
            logits.push_back(model.Decode(Slice(Tokens(graph), 1, at, at + length), position, cache));
            at += length;
          }
          const Value apart = Abs(Concatenate(logits, 1) - model(Tokens(graph)));
          return Max(Reshape(apart, Ints{-1}), {0});
        });
    EXPECT_LT(difference.At(0), 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Decoding,
                         ::testing::Values(Family{"gpt", kGpt}, Family{"llama", kLlama},
                                           Family{"mixture", Mixture()}, Family{"lstm", kLstm, 0},
                                           Family{"gru", kGru, 0}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace headrace::models
