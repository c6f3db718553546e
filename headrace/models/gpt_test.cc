// Outputs and gradients are held against Hugging Face's in transformers_test.cc; here is the rest.
#include "headrace/models/gpt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/models/test/evaluated.h"

namespace headrace::models {
namespace {

using ::testing::Contains;
using ::testing::Not;

const GptConfig kTiny{.vocab_size = 11, .n_positions = 9, .n_embd = 8, .n_layer = 2, .n_head = 2};

std::vector<std::string> NamesOf(const GptConfig& config) {
  std::vector<std::string> names;
  for (const nn::VariableSpec& spec : VariablesOf(config)) names.push_back(spec.name);
  return names;
}

Value Tokens(Graph& graph) {
  return Constant(graph, HostTensor::Of<int32_t>({2, 6}, {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}));
}

TEST(Gpt, DropsOnlyInTraining) {
  GptConfig config = kTiny;
  config.embd_pdrop = config.resid_pdrop = config.attn_pdrop = 0.4;
  const auto logits = [](const LanguageModel& model, Graph& graph) { return model(Tokens(graph)); };
  const HostTensor whole = Evaluated(kTiny, false, logits);
  EXPECT_TRUE(std::ranges::equal(Evaluated(config, false, logits).bytes(), whole.bytes()));
  EXPECT_FALSE(std::ranges::equal(Evaluated(config, true, logits).bytes(), whole.bytes()));
}

TEST(Gpt, NamesItsVariablesAsHuggingFaceDoes) {
  EXPECT_THAT(NamesOf(kTiny), Contains("wte.weight"));
  EXPECT_THAT(NamesOf(kTiny), Contains("h.1.attn.c_attn.weight"));
  EXPECT_THAT(NamesOf(kTiny), Not(Contains("lm_head.weight")));
  GptConfig untied = kTiny;
  untied.tie_word_embeddings = false;
  EXPECT_THAT(NamesOf(untied), Contains("lm_head.weight"));
}

TEST(Gpt, SaysWhatDoesNotFit) {
  Graph scratch;
  nn::Frame frame = nn::Frame::Declare(scratch);
  EXPECT_EQ(ErrorOf([&] { kTiny.Make(nn::Scope(frame), {12}); }),
            "gpt: sees 9 positions, but the sequences have 12: raise model.n_positions or shorten them");
  EXPECT_EQ(ErrorOf([&] { kTiny.Make(nn::Scope(frame), {28, 28, 1}); }),
            "gpt: takes sequences of tokens [length], not [28, 28, 1]");
  GptConfig uneven = kTiny;
  uneven.n_head = 3;
  EXPECT_EQ(uneven.Validate().message(), "n_head: a width of 8 does not divide over 3 heads");
}

}  // namespace
}  // namespace headrace::models
