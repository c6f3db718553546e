#include "headrace/models/gpt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "headrace/graph/ops.h"
#include "headrace/models/layer_stack.h"
#include "headrace/nn/activations.h"
#include "headrace/nn/attention.h"
#include "headrace/nn/dropout.h"
#include "headrace/nn/embedding.h"
#include "headrace/nn/kv_cache.h"
#include "headrace/nn/linear.h"
#include "headrace/nn/norm.h"

namespace headrace::models {
namespace {

// By the names of Hugging Face.
constexpr std::array<std::pair<std::string_view, Value (*)(Value)>, 4> kActivations = {
    {{"gelu_new", nn::GeluTanh}, {"gelu", nn::Gelu}, {"relu", nn::Relu}, {"silu", nn::Silu}}};

// Layers that end in the residual stream begin smaller, so that it does not grow with their number.
nn::Initializer ResidualInit(const GptConfig& config) {
  return nn::NormalInit(config.initializer_range / std::sqrt(2.0 * static_cast<double>(config.n_layer)));
}

class SelfAttention {
 public:
  SelfAttention(const GptConfig& config, nn::Scope scope)
      : scope_(scope),
        heads_(config.n_head),
        c_attn_(scope / "c_attn", {config.n_embd, "embed"}, {3 * config.n_embd, "heads"},
                nn::NormalInit(config.initializer_range)),
        c_proj_(scope / "c_proj", {config.n_embd, "heads"}, {config.n_embd, "embed"}, ResidualInit(config)),
        attn_pdrop_(config.attn_pdrop),
        resid_dropout_(scope / "resid_dropout", config.resid_pdrop) {}

  // [B, T, D] -> the same. With a cache, at `position` after what it holds.
  Value operator()(Value x, Value position, nn::KvCache* cache) const {
    auto entered = scope_.Enter();
    const Value qkv = c_attn_(x);  // [B, T, 3 D]
    Value q = Heads(qkv, 0), k = Heads(qkv, 1), v = Heads(qkv, 2);
    nn::AttentionOptions options = {.causal = true, .offset = position};
    if (scope_.train() && attn_pdrop_ > 0) {
      options.dropout = attn_pdrop_;
      options.dropout_key = (scope_ / "attn_dropout").Key();
    }
    if (cache != nullptr) {
      cache->Put(k, v, position);
      k = cache->keys;
      v = cache->values;
    }
    return resid_dropout_(c_proj_(Reshape(nn::Attention(q, k, v, options), x.shape())));
  }

 private:
  // Third `part` of [B, T, 3 D], as [B, T, heads, D / heads].
  Value Heads(Value qkv, int64_t part) const {
    const int64_t width = qkv.dim(2) / 3;
    return Reshape(Slice(qkv, 2, part * width, (part + 1) * width),
                   Ints{qkv.dim(0), qkv.dim(1), heads_, width / heads_});
  }

  nn::Scope scope_;
  int64_t heads_;
  nn::Linear c_attn_, c_proj_;
  double attn_pdrop_;
  nn::Dropout resid_dropout_;
};

class Mlp {
 public:
  Mlp(const GptConfig& config, nn::Scope scope, int64_t inner)
      : activation_(std::ranges::find(kActivations, config.activation_function,
                                      [](const auto& known) { return known.first; })
                        ->second),
        c_fc_(scope / "c_fc", {config.n_embd, "embed"}, {inner, "mlp"},
              nn::NormalInit(config.initializer_range)),
        c_proj_(scope / "c_proj", {inner, "mlp"}, {config.n_embd, "embed"}, ResidualInit(config)),
        dropout_(scope / "dropout", config.resid_pdrop) {}

  Value operator()(Value x) const { return dropout_(c_proj_(activation_(c_fc_(x)))); }

 private:
  Value (*activation_)(Value);
  nn::Linear c_fc_, c_proj_;
  nn::Dropout dropout_;
};

class Block {
 public:
  Block(const GptConfig& config, nn::Scope scope)
      : ln_1_(scope / "ln_1", {config.n_embd, "embed"}, config.layer_norm_epsilon),
        attn_(config, scope / "attn"),
        ln_2_(scope / "ln_2", {config.n_embd, "embed"}, config.layer_norm_epsilon),
        mlp_(config, scope / "mlp", config.n_inner.value_or(4 * config.n_embd)) {}

  Value operator()(Value x, Value position, nn::KvCache* cache) const {
    x = x + attn_(ln_1_(x), position, cache);
    return x + mlp_(ln_2_(x));
  }

 private:
  nn::LayerNorm ln_1_;
  SelfAttention attn_;
  nn::LayerNorm ln_2_;
  Mlp mlp_;
};

class Gpt final : public LanguageModel {
 public:
  Gpt(const GptConfig& config, nn::Scope scope)
      : scope_(scope),
        config_(config),
        wte_(scope / "wte", {config.vocab_size, "vocab"}, {config.n_embd, "embed"},
             nn::NormalInit(config.initializer_range)),
        wpe_(scope / "wpe", config.n_positions, {config.n_embd, "embed"},
             nn::NormalInit(config.initializer_range)),
        dropout_(scope / "dropout", config.embd_pdrop),
        ln_f_(scope / "ln_f", {config.n_embd, "embed"}, config.layer_norm_epsilon) {
    for (int64_t layer = 0; layer < config.n_layer; ++layer)
      blocks_.emplace_back(config, scope / "h" / layer);
    if (config.tie_word_embeddings) return;
    lm_head_.emplace(scope / "lm_head", nn::Dim(config.vocab_size, "vocab"), nn::Dim(config.n_embd, "embed"),
                     nn::NormalInit(config.initializer_range));
  }

  int64_t ContextLength() const override { return config_.n_positions; }

  std::vector<TensorType> CacheTypes(int64_t batch, int64_t length) const override {
    const Shape shape = {batch, length, config_.n_head, config_.n_embd / config_.n_head};
    return std::vector(2 * blocks_.size(), TensorType{DType::kF32, shape});
  }

  Value operator()(Value tokens) const override { return Logits(tokens, {}, {}); }

  Value Decode(Value tokens, Value position, Values& cache) const override {
    std::vector<nn::KvCache> layers = nn::KvCachesOf(cache);
    HR_CHECK(layers.size() == blocks_.size());
    const Value logits = Logits(tokens, position, layers);
    cache = nn::KeysAndValuesOf(layers);
    return logits;
  }

 private:
  // tokens [B, T] -> [B, T, vocabulary]; `position` is empty, and stands for 0, where there is no cache.
  Value Logits(Value tokens, Value position, std::span<nn::KvCache> cache) const {
    Value positions = Iota(tokens.graph(), {DType::kI32, {tokens.dim(1)}}, 0);
    if (position) positions = positions + position;
    Value x = dropout_(wte_(tokens) + wpe_(positions));  // [B, T, D]
    const auto layer = [&](int64_t i, Value v) {
      const auto at = static_cast<size_t>(i);
      return Values{blocks_[at](v, position, cache.empty() ? nullptr : &cache[at])};
    };
    x = RunLayers(scope_, config_.scan_layers && cache.empty(), config_.n_layer, layer, x).x;
    return (lm_head_ ? *lm_head_ : wte_).Attend(ln_f_(x));
  }

  nn::Scope scope_;
  GptConfig config_;
  nn::Embedding wte_, wpe_;
  nn::Dropout dropout_;
  std::vector<Block> blocks_;
  nn::LayerNorm ln_f_;
  std::optional<nn::Embedding> lm_head_;  // absent where tied to wte
};

}  // namespace

void GptConfig::Fields(config::Visitor& v) {
  static constexpr auto kActivationNames = [] {
    std::array<std::string_view, kActivations.size()> names;
    std::ranges::transform(kActivations, names.begin(), [](const auto& known) { return known.first; });
    return names;
  }();
  v.Field("vocab_size", vocab_size, "Number of tokens; 256 for bytes", config::AtLeast(1));
  v.Field("n_positions", n_positions, "The longest sequence that it can see", config::AtLeast(1));
  v.Field("n_embd", n_embd, "Width of the embeddings", config::AtLeast(1));
  v.Field("n_layer", n_layer, "Number of layers", config::AtLeast(1));
  v.Field("n_head", n_head, "Attention heads of a layer; they share its width", config::AtLeast(1));
  v.Field("n_inner", n_inner, "Width inside of the feed-forward part; by default 4 n_embd",
          config::AtLeast(1));
  v.OneOf("activation_function", activation_function, kActivationNames,
          "Activation of the feed-forward part; gelu_new is gelu approximated by tanh");
  v.Field("embd_pdrop", embd_pdrop, "Dropout of the embeddings", config::Between(0, 0.99));
  v.Field("resid_pdrop", resid_pdrop, "Dropout of what each layer adds", config::Between(0, 0.99));
  v.Field("attn_pdrop", attn_pdrop, "Dropout of the attention weights", config::Between(0, 0.99));
  v.Field("layer_norm_epsilon", layer_norm_epsilon, "Added to variances", config::Positive());
  v.Field("initializer_range", initializer_range, "Standard deviation of the initial weights",
          config::Positive());
  v.Field("tie_word_embeddings", tie_word_embeddings, "Use the embedding of the tokens as the output layer");
  v.Field("scan_layers", scan_layers,
          "Run the layers as a loop: programs and compile times do not grow with their number");
}

Status GptConfig::Validate() const {
  if (n_embd % n_head == 0) return Ok();
  return InvalidArgument("n_head: a width of {} does not divide over {} heads", n_embd, n_head);
}

std::unique_ptr<LanguageModel> GptConfig::MakeLanguageModel(nn::Scope scope) const {
  return std::make_unique<Gpt>(*this, scope);
}

std::unique_ptr<Model> GptConfig::Make(nn::Scope scope, const Shape& input) const {
  Require(input.rank() == 1, "gpt: takes sequences of tokens [length], not {}", input.ToString());
  Require(input[0] <= n_positions,
          "gpt: sees {} positions, but the sequences have {}: raise model.n_positions or shorten them",
          n_positions, input[0]);
  return MakeLanguageModel(scope);
}

}  // namespace headrace::models
