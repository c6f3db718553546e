// Outputs and gradients are held against Hugging Face's in transformers_test.cc; here is the rest.
#include "headrace/models/gpt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"

namespace headrace::models {
namespace {

using ::testing::Contains;
using ::testing::Not;

const GptConfig kTiny{.vocab_size = 11, .n_positions = 9, .n_embd = 8, .n_layer = 2, .n_head = 2};

std::vector<nn::VariableSpec> VariablesOf(const GptConfig& config) {
  Graph scratch;
  nn::Frame frame = nn::Frame::Declare(scratch);
  config.MakeLanguageModel(nn::Scope(frame));
  return frame.specs();
}

std::vector<std::string> NamesOf(const GptConfig& config) {
  std::vector<std::string> names;
  for (const nn::VariableSpec& spec : VariablesOf(config)) names.push_back(spec.name);
  return names;
}

// Numbers between -0.4 and 0.4 that differ from place to place and from variable to variable.
Value Weights(Graph& graph, const TensorType& type, double number) {
  const Value places = Iota(graph, {DType::kF32, {type.shape.ElementCount()}}, 0);
  return Reshape(0.4 * Sin((places + 7 * number) * (1.3 + number)), type.shape);
}

// Runs `body` on the model with weights that matter.
HostTensor Evaluated(const GptConfig& config, bool train,
                     const std::function<Value(const LanguageModel&, Graph&)>& body) {
  const auto function = jit::TryTrace("run", Types{{DType::kU32, {2}}}, [&](std::span<const Value> a) {
    std::map<std::string, Value> variables;
    for (const nn::VariableSpec& spec : VariablesOf(config)) {
      const auto number = static_cast<double>(variables.size());
      variables.emplace(spec.name, Weights(a[0].graph(), spec.type, number));
    }
    nn::Frame frame = nn::Frame::Bind(a[0].graph(), variables, {.train = train, .key = a[0]});
    return Values{body(*config.MakeLanguageModel(nn::Scope(frame)), a[0].graph())};
  });
  EXPECT_TRUE(function.ok()) << function.status().ToString();
  const HostTensor key = HostTensor::Of<uint32_t>({2}, {0, 5});
  return jit::Evaluate(jit::TestClient(), *function, {&key, 1}).value().at(0);
}

Value Tokens(Graph& graph) {
  return Constant(graph, HostTensor::Of<int32_t>({2, 6}, {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}));
}

// However the tokens are cut up, the logits are those of the whole.
TEST(Gpt, DecodingEqualsTheWholeForwardPass) {
  for (const std::vector<int64_t>& parts : {std::vector<int64_t>{1, 1, 1, 1, 1, 1}, {4, 1, 1}, {6}}) {
    const HostTensor difference = Evaluated(kTiny, false, [&](const LanguageModel& model, Graph& graph) {
      std::vector<nn::KvCache> cache;
      for (const TensorType& type : model.CacheTypes(2, 9)) {
        cache.push_back({Full(graph, type, 7), Full(graph, type, 7)});  // what is not reached must not matter
      }
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
