// Models that people have, with the weights that tools/setup.sh puts into .deps/models, against their
// originals.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/reference_file.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"
#include "headrace/models/bert.h"
#include "headrace/models/llama.h"
#include "headrace/nn/losses.h"

namespace headrace::models {
namespace {

// A program's arguments: the weights of a folder, then others.
struct Arguments {
  std::vector<std::string> names;
  std::vector<HostTensor> tensors;
  Types types;
  size_t weights = 0;

  Arguments(const std::string& weights_path, std::vector<HostTensor> others) {
    for (auto& [name, tensor] : ReadReferences(weights_path)) {
      if (tensor.dtype() != DType::kF32) continue;  // position ids, which are counted here
      names.push_back(name);
      tensors.push_back(std::move(tensor));
    }
    weights = tensors.size();
    for (HostTensor& other : others) tensors.push_back(std::move(other));
    for (const HostTensor& tensor : tensors) types.push_back(tensor.type());
  }

  nn::Frame Bind(std::span<const Value> values) const {
    std::map<std::string, Value> variables;
    for (size_t i = 0; i < weights; ++i) variables.emplace(names[i], values[i]);
    return nn::Frame::Bind(values[0].graph(), std::move(variables), {});
  }
};

std::vector<HostTensor> RunOn(const Arguments& arguments, const ValueFn& body) {
  const auto function = jit::TryTrace("f", arguments.types, body);
  EXPECT_TRUE(function.ok()) << function.status().ToString();
  if (!function.ok()) return {};
  auto results = jit::Evaluate(jit::TestClient(), *function, arguments.tensors);
  EXPECT_TRUE(results.ok()) << results.status().ToString();
  return results.ok() ? *std::move(results) : std::vector<HostTensor>();
}

TEST(RealWeights, MiniLmEmbedsSentences) {
  const auto references = ReadReferences("headrace/models/testdata/minilm.safetensors");
  const Arguments arguments(".deps/models/minilm/model.safetensors",
                            {references.at("tokens"), references.at("types"), references.at("mask")});
  ASSERT_GT(arguments.weights, 100u);
  const BertConfig config{
      .hidden_size = 384, .intermediate_size = 1536, .num_hidden_layers = 6, .num_attention_heads = 12};
  const auto results = RunOn(arguments, [&](std::span<const Value> v) {
    nn::Frame frame = arguments.Bind(v);
    const auto in = v.subspan(arguments.weights);
    return Values{SentenceEmbedding(Bert(config, nn::Scope(frame))(in[0], in[1], in[2]), in[2])};
  });
  ASSERT_EQ(results.size(), 1u);
  const HostTensor& want = references.at("embedding");
  ASSERT_EQ(results[0].type(), want.type());
  for (int64_t i = 0; i < want.size(); ++i) ASSERT_NEAR(results[0].At(i), want.At(i), 1e-5) << i;
}

// 74 tokens of "A Tale of Two Cities", one step of training.
TEST(RealWeights, SmolLm2HasTheLossAndGradientsOfJax) {
  const auto references = ReadReferences("headrace/models/testdata/smollm2.safetensors");
  const Arguments arguments(".deps/models/smollm2/model.safetensors", {references.at("tokens")});
  ASSERT_EQ(arguments.weights, 272u);
  const LlamaConfig config{.vocab_size = 49152,
                           .hidden_size = 576,
                           .intermediate_size = 1536,
                           .num_hidden_layers = 30,
                           .num_attention_heads = 9,
                           .num_key_value_heads = 3,
                           .max_position_embeddings = 8192,
                           .rms_norm_eps = 1e-5,
                           .rope_theta = 1e5,
                           .tie_word_embeddings = true};
  const auto results = RunOn(arguments, [&](std::span<const Value> v) {
    nn::Frame frame = arguments.Bind(v);
    const Value tokens = v.back();
    const int64_t last = tokens.dim(1) - 1;
    const Value logits = (*config.MakeLanguageModel(nn::Scope(frame)))(tokens);
    const Value loss = Mean(nn::CrossEntropy(Slice(logits, 1, 0, last), Slice(tokens, 1, 1, last + 1)));
    Values made = Gradient(loss, v.first(arguments.weights));
    made.push_back(loss);
    return made;
  });
  ASSERT_EQ(results.size(), arguments.weights + 1);
  EXPECT_NEAR(results.back().At(0), references.at("loss").At(0), 1e-4);
  for (size_t i = 0; i < arguments.weights; ++i) {
    const std::span<const float> gradient = results[i].data<float>();
    const double squares = std::transform_reduce(gradient.begin(), gradient.end(), 0.0, std::plus(),
                                                 [](double x) { return x * x; });
    const double norm = references.at("norm/" + arguments.names[i]).At(0);
    // Thirty layers of f32 sums in another order.
    EXPECT_NEAR(std::sqrt(squares), norm, 1e-3 * norm) << arguments.names[i];
    const HostTensor& first = references.at("grad/" + arguments.names[i]);
    const double scale = norm / std::sqrt(static_cast<double>(gradient.size()));
    for (size_t k = 0; k < static_cast<size_t>(first.size()); ++k)
      EXPECT_NEAR(gradient[k], first.At(static_cast<int64_t>(k)), 2e-3 * scale)
          << arguments.names[i] << ", " << k;
  }
}

}  // namespace
}  // namespace headrace::models
