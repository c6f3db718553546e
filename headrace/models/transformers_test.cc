// Families whose original is in Hugging Face's transformers: outputs, losses and gradients at the same
// weights (tools/reference/transformers_models.py).
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/reference_file.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"
#include "headrace/models/bert.h"
#include "headrace/models/gpt.h"
#include "headrace/models/llama.h"
#include "headrace/nn/losses.h"

namespace headrace::models {
namespace {

// The result, and the loss whose gradients the file has.
struct Outcome {
  Value out, loss;
};

struct Family {
  std::string name;
  std::function<Outcome(nn::Scope, const std::map<std::string, Value>&)> run;  // of in0, in1, … and seed
};

void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

// Mean cross-entropy of each next token.
Outcome OfDecoder(const LanguageModel& model, Value tokens) {
  const Value logits = model(tokens);  // [B, T, V]
  const int64_t last = tokens.dim(1) - 1;
  return {logits, Mean(nn::CrossEntropy(Slice(logits, 1, 0, last), Slice(tokens, 1, 1, last + 1)))};
}

template <class Config>
Family Decoder(std::string name, const Config& config) {
  return {std::move(name), [config](nn::Scope scope, const std::map<std::string, Value>& in) {
            return OfDecoder(*config.MakeLanguageModel(scope), in.at("in0"));
          }};
}

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

Outcome OfBert(nn::Scope scope, const std::map<std::string, Value>& in) {
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

const Family kFamilies[] = {
    Decoder("gpt", GptConfig{.vocab_size = 11, .n_positions = 9, .n_embd = 8, .n_layer = 2, .n_head = 2}),
    Decoder("llama", kLlama),
    Decoder("llama_tied", TiedLlama()),
    {"bert", OfBert},
};

// Sums in another order than PyTorch's, relative to the largest element.
void ExpectNear(const HostTensor& got, const HostTensor& want, const std::string& what) {
  ASSERT_EQ(got.type(), want.type()) << what;
  double largest = 0;
  for (int64_t i = 0; i < want.size(); ++i) largest = std::max(largest, std::fabs(want.At(i)));
  for (int64_t i = 0; i < want.size(); ++i)
    ASSERT_NEAR(got.At(i), want.At(i), 2e-5 * (largest + 1e-2)) << what << ", element " << i;
}

class Transformers : public ::testing::TestWithParam<Family> {};

TEST_P(Transformers, EqualTheirOriginals) {
  const std::string& name = GetParam().name;
  std::map<std::string, HostTensor> references;
  for (auto& [full, tensor] : ReadReferences("headrace/models/testdata/transformers.safetensors")) {
    if (full.starts_with(name + "/")) references.emplace(full.substr(name.size() + 1), tensor);
  }
  ASSERT_FALSE(references.empty());

  std::vector<std::string> names, result_names = {"out", "loss"};
  std::vector<HostTensor> arguments;
  Types types;
  for (const auto& [key, tensor] : references) {
    if (!key.starts_with("param/") && !key.starts_with("in") && key != "seed") continue;
    names.push_back(key);
    arguments.push_back(tensor);
    types.push_back(tensor.type());
  }
  const auto function = jit::TryTrace("f", types, [&](std::span<const Value> values) {
    std::map<std::string, Value> variables, inputs;
    Values parameters;
    for (size_t i = 0; i < values.size(); ++i) {
      if (!names[i].starts_with("param/")) {
        inputs.emplace(names[i], values[i]);
        continue;
      }
      std::string variable = names[i].substr(6);
      result_names.push_back("grad/" + variable);
      // The part of a GPT-2 that is not the output layer has a prefix, which loading takes off.
      if (variable.starts_with("transformer.")) variable = variable.substr(12);
      variables.emplace(std::move(variable), values[i]);
      parameters.push_back(values[i]);
    }
    nn::Frame frame = nn::Frame::Bind(values[0].graph(), std::move(variables), {.train = true});
    const Outcome outcome = GetParam().run(nn::Scope(frame), inputs);
    Values results = {outcome.out, outcome.loss};
    for (Value gradient : Gradient(outcome.loss, parameters)) results.push_back(gradient);
    return results;
  });
  ASSERT_TRUE(function.ok()) << function.status().ToString();
  const auto results = jit::Evaluate(jit::TestClient(), *function, arguments);
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  ASSERT_EQ(results->size(), result_names.size());
  for (size_t i = 0; i < results->size(); ++i)
    ExpectNear(results->at(i), references.at(result_names[i]), result_names[i]);
}

INSTANTIATE_TEST_SUITE_P(All, Transformers, ::testing::ValuesIn(kFamilies),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace headrace::models
