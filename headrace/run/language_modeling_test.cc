#include "headrace/run/language_modeling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/graph/ops.h"
#include "headrace/io/store.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"

namespace headrace::run {
namespace {

const std::vector<NamedType> kText = {{"tokens", {DType::kI32, {4}}}, {"targets", {DType::kI32, {4}}}};

models::ModelConfig Gpt(int64_t vocabulary = 256) {
  return models::GptConfig{
      .vocab_size = vocabulary, .n_positions = 4, .n_embd = 4, .n_layer = 1, .n_head = 1};
}

TEST(LanguageModelingTask, NeedsTokensAndTargets) {
  EXPECT_EQ(LanguageModelingTask("text", Gpt(), {{"image", {DType::kF32, {4, 4, 1}}}}).status().message(),
            "a language model learns from text, but the data has only: image; say data.source.format: text");
  EXPECT_EQ(LanguageModelingTask("text", Gpt(), kText)->measure_names, std::vector<std::string>{"loss"});
}

// The weight of two examples that count and one that does not, and the sum of their losses. All weights of
// the model are zero.
std::vector<HostTensor> Measured(const models::ModelConfig& model, bool train) {
  const train::Task task = *LanguageModelingTask("text", model, kText);
  const Types types = {{DType::kI32, {3, 4}}, {DType::kI32, {3, 4}}, {DType::kF32, {3}}};
  const auto function = jit::TryTrace("measure", types, [&](std::span<const Value> a) {
    std::map<std::string, Value> variables;
    for (const nn::VariableSpec& spec : task.variables) {
      variables.emplace(spec.name, Full(a[0].graph(), spec.type, 0));
    }
    nn::Frame frame = nn::Frame::Bind(a[0].graph(), variables, {.train = train});
    const train::Measures measures =
        task.measure(frame, {{"tokens", a[0]}, {"targets", a[1]}, {"weight", a[2]}});
    return Values{measures.weight, measures.sums.at(0).sum};
  });
  EXPECT_TRUE(function.ok()) << function.status().ToString();
  const HostTensor tokens = HostTensor::Of<int32_t>({3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const std::vector<HostTensor> arguments = {tokens, tokens, HostTensor::Of<float>({3}, {1, 0, 1})};
  return jit::Evaluate(jit::TestClient(), *function, arguments).value();
}

// Every token is equally likely then, whatever the text.
TEST(LanguageModelingTask, MeasuresNatsATokenOfTheExamplesThatCount) {
  const std::vector<HostTensor> results = Measured(Gpt(), false);
  EXPECT_EQ(results.at(0).At(0), 8);
  EXPECT_NEAR(results.at(1).At(0), 8 * std::log(256), 1e-4);
}

// All tokens go to the first two experts, which are as likely as the others: an imbalance of 2.
TEST(LanguageModelingTask, LowersTheImbalanceOfExpertsInTraining) {
  const models::LlamaConfig model{.vocab_size = 256,
                                  .hidden_size = 4,
                                  .intermediate_size = 4,
                                  .num_hidden_layers = 2,
                                  .num_attention_heads = 1,
                                  .moe = models::MixtureConfig{.experts = 4, .aux_loss_coef = 0.5}};
  EXPECT_NEAR(Measured(model, false).at(1).At(0), 8 * std::log(256), 1e-4);
  EXPECT_NEAR(Measured(model, true).at(1).At(0), 8 * (std::log(256) + 1), 1e-4);
}

TEST(LanguageModeling, TellsWhatFollowsFromTheLoss) {
  const std::vector<NamedMean> means = {{"loss", std::log(8)}};
  const std::vector<NamedMean> report = kLanguageModeling.report(means);
  ASSERT_EQ(report.size(), 3);
  EXPECT_EQ(report[0].name, "loss");
  EXPECT_EQ(report[1].name, "perplexity");
  EXPECT_NEAR(report[1].value, 8, 1e-9);
  EXPECT_EQ(report[2].name, "bits_per_byte");
  EXPECT_NEAR(report[2].value, 3, 1e-9);
}

TEST(LanguageModeling, ChecksThatEveryTokenIsKnown) {
  ASSERT_TRUE((*io::OpenStore("mem://language"))->Write("a.txt", io::AsBytes("some text")).ok());
  RunConfig config;
  config.data.source = data::TextSource{.path = "mem://language/a.txt", .length = 4};
  const auto pipeline = data::Pipeline::Open(config.data, 0);
  ASSERT_TRUE(pipeline.ok()) << pipeline.status().ToString();
  config.model = Gpt(200);
  EXPECT_EQ(kLanguageModeling.check(config, *pipeline).message(),
            "model.vocab_size: 200 tokens are too few for text read as bytes, which takes 256");
  config.model = Gpt();
  EXPECT_TRUE(kLanguageModeling.check(config, *pipeline).ok());
}

TEST(Objective, FollowsFromTheModel) {
  EXPECT_EQ(ObjectiveOf(Gpt()).command, "generate");
  EXPECT_EQ(ObjectiveOf(models::MlpConfig()).command, "predict");
}

}  // namespace
}  // namespace headrace::run
