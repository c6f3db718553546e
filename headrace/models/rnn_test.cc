// Outputs and gradients are held against torch's in torch_models_test.cc; here is the rest.
#include "headrace/models/rnn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/models/test/evaluated.h"

namespace headrace::models {
namespace {

using ::testing::Contains;
using ::testing::Not;

const RnnConfig kTiny{.vocab_size = 11, .hidden_size = 6, .num_layers = 2};

std::vector<std::string> NamesOf(const RnnConfig& config) {
  std::vector<std::string> names;
  for (const nn::VariableSpec& spec : VariablesOf(config)) names.push_back(spec.name);
  return names;
}

TEST(Rnn, NamesItsVariablesAsTorchDoes) {
  EXPECT_THAT(NamesOf(kTiny), Contains("rnn.weight_hh_l1"));
  EXPECT_THAT(NamesOf(kTiny), Contains("decoder.weight"));
  RnnConfig tied = kTiny;
  tied.tie_word_embeddings = true;
  EXPECT_THAT(NamesOf(tied), Not(Contains("decoder.weight")));
}

TEST(Rnn, DropsOnlyInTraining) {
  RnnConfig config = kTiny;
  config.dropout = 0.4;
  const auto logits = [](const LanguageModel& model, Graph& graph) {
    return model(Constant(graph, HostTensor::Of<int32_t>({1, 4}, {3, 1, 4, 1})));
  };
  const HostTensor whole = Evaluated(kTiny, false, logits);
  EXPECT_TRUE(std::ranges::equal(Evaluated(config, false, logits).bytes(), whole.bytes()));
  EXPECT_FALSE(std::ranges::equal(Evaluated(config, true, logits).bytes(), whole.bytes()));
}

TEST(Rnn, SaysWhatDoesNotFit) {
  Graph scratch;
  nn::Frame frame = nn::Frame::Declare(scratch);
  EXPECT_EQ(ErrorOf([&] { kTiny.Make(nn::Scope(frame), {28, 28, 1}); }),
            "rnn: takes sequences of tokens [length], not [28, 28, 1]");
  RnnConfig uneven = kTiny;
  uneven.tie_word_embeddings = true;
  uneven.embedding_size = 5;
  EXPECT_EQ(uneven.Validate().message(),
            "tie_word_embeddings: embeddings of 5 cannot be the output layer of a state of 6");
}

}  // namespace
}  // namespace headrace::models
