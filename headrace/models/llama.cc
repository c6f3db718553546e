#include "headrace/models/llama.h"

#include "headrace/graph/ops.h"
#include "headrace/models/layer_stack.h"
#include "headrace/nn/activations.h"
#include "headrace/nn/attention.h"
#include "headrace/nn/embedding.h"
#include "headrace/nn/kv_cache.h"
#include "headrace/nn/projection.h"
#include "headrace/nn/rms_norm.h"
#include "headrace/nn/rotary.h"

namespace headrace::models {
namespace {

int64_t KeyHeads(const LlamaConfig& config) {
  return config.num_key_value_heads.value_or(config.num_attention_heads);
}

int64_t HeadSize(const LlamaConfig& config) {
  return config.head_dim.value_or(config.hidden_size / config.num_attention_heads);
}

// What all layers share at the positions of one call.
struct Positions {
  Value first;  // of the first token, i32[]; empty without a cache, where it is 0
  nn::RotaryTable rotary;
};
using Routings = std::vector<nn::Routing>;  // of each layer that has experts

class SelfAttention {
 public:
  SelfAttention(const LlamaConfig& config, nn::Scope scope)
      : scope_(scope),
        head_size_(HeadSize(config)),
        q_proj_(Project(config, scope / "q_proj", config.num_attention_heads)),
        k_proj_(Project(config, scope / "k_proj", KeyHeads(config))),
        v_proj_(Project(config, scope / "v_proj", KeyHeads(config))),
        o_proj_(scope / "o_proj", {config.num_attention_heads * head_size_, "heads"},
                {config.hidden_size, "embed"}, nn::NormalInit(config.initializer_range)) {}

  // [B, T, D] -> the same.
  Value operator()(Value x, const Positions& positions, nn::KvCache* cache) const {
    auto entered = scope_.Enter();
    const Value q = nn::Rotate(Heads(q_proj_(x)), positions.rotary, nn::RotaryPairs::kHalves);
    Value k = nn::Rotate(Heads(k_proj_(x)), positions.rotary, nn::RotaryPairs::kHalves);
    Value v = Heads(v_proj_(x));
    if (cache != nullptr) {
      cache->Put(k, v, positions.first);
      k = cache->keys;
      v = cache->values;
    }
    const Value y =
        nn::Attention(q, k, v, {.causal = true, .offset = positions.first});  // [B, T, heads, size]
    return o_proj_(Reshape(y, {x.dim(0), x.dim(1), -1}));
  }

 private:
  static nn::Projection Project(const LlamaConfig& config, nn::Scope scope, int64_t heads) {
    return {scope,
            {config.hidden_size, "embed"},
            {heads * HeadSize(config), "heads"},
            nn::NormalInit(config.initializer_range)};
  }
  // [B, T, heads · size] -> [B, T, heads, size]
  Value Heads(Value x) const { return Reshape(x, {x.dim(0), x.dim(1), -1, head_size_}); }

  nn::Scope scope_;
  int64_t head_size_;
  nn::Projection q_proj_, k_proj_, v_proj_, o_proj_;
};

class Mlp {
 public:
  Mlp(const LlamaConfig& config, nn::Scope scope)
      : gate_proj_(In(config, scope / "gate_proj")),
        up_proj_(In(config, scope / "up_proj")),
        down_proj_(scope / "down_proj", {config.intermediate_size, "mlp"}, {config.hidden_size, "embed"},
                   nn::NormalInit(config.initializer_range)) {}

  Value operator()(Value x) const { return down_proj_(nn::SwiGlu(gate_proj_(x), up_proj_(x))); }

 private:
  static nn::Projection In(const LlamaConfig& config, nn::Scope scope) {
    return {scope,
            {config.hidden_size, "embed"},
            {config.intermediate_size, "mlp"},
            nn::NormalInit(config.initializer_range)};
  }

  nn::Projection gate_proj_, up_proj_, down_proj_;
};

class Layer {
 public:
  Layer(const LlamaConfig& config, nn::Scope scope)
      : input_layernorm_(scope / "input_layernorm", {config.hidden_size, "embed"}, config.rms_norm_eps),
        self_attn_(config, scope / "self_attn"),
        post_attention_layernorm_(scope / "post_attention_layernorm", {config.hidden_size, "embed"},
                                  config.rms_norm_eps) {
    if (!config.moe) {
      mlp_.emplace(config, scope / "mlp");
      return;
    }
    moe_.emplace(*config.moe, scope / "block_sparse_moe", config.hidden_size, config.intermediate_size,
                 nn::NormalInit(config.initializer_range));
  }

  // [B, T, D] -> the same; where there are experts, then the parts of the tokens' routing to them.
  Values operator()(Value x, const Positions& positions, nn::KvCache* cache) const {
    x = x + self_attn_(input_layernorm_(x), positions, cache);
    const Value y = post_attention_layernorm_(x);
    if (mlp_) return {x + (*mlp_)(y)};
    std::vector<nn::Routing> routings;
    const Value mixed = (*moe_)(y, routings);
    const nn::Routing& routing = routings.at(0);
    return {x + mixed, routing.probabilities, routing.chosen, routing.weights};
  }

 private:
  nn::RmsNorm input_layernorm_;
  SelfAttention self_attn_;
  nn::RmsNorm post_attention_layernorm_;
  std::optional<Mlp> mlp_;  // or
  std::optional<MixtureOfExperts> moe_;
};

class Llama final : public LanguageModel {
 public:
  Llama(const LlamaConfig& config, nn::Scope scope)
      : scope_(scope),
        config_(config),
        embed_tokens_(scope / "model" / "embed_tokens", {config.vocab_size, "vocab"},
                      {config.hidden_size, "embed"}, nn::NormalInit(config.initializer_range)),
        norm_(scope / "model" / "norm", {config.hidden_size, "embed"}, config.rms_norm_eps) {
    for (int64_t layer = 0; layer < config.num_hidden_layers; ++layer)
      layers_.emplace_back(config, scope / "model" / "layers" / layer);
    if (config.tie_word_embeddings) return;
    lm_head_.emplace(scope / "lm_head", nn::Dim(config.vocab_size, "vocab"),
                     nn::Dim(config.hidden_size, "embed"), nn::NormalInit(config.initializer_range));
  }

  int64_t ContextLength() const override { return config_.max_position_embeddings; }

  std::vector<TensorType> CacheTypes(int64_t batch, int64_t length) const override {
    const Shape shape = {batch, length, KeyHeads(config_), HeadSize(config_)};
    return std::vector(2 * layers_.size(), TensorType{DType::kF32, shape});
  }

  Value operator()(Value tokens) const override { return Logits(tokens, {}, {}); }

  Value Decode(Value tokens, Value position, Values& cache) const override {
    std::vector<nn::KvCache> layers = nn::KvCachesOf(cache);
    HR_CHECK(layers.size() == layers_.size());
    const Value logits = Logits(tokens, position, layers);
    cache = nn::KeysAndValuesOf(layers);
    return logits;
  }

 private:
  // tokens [B, T] -> [B, T, vocabulary]; `position` is empty, and stands for 0, where there is no cache.
  Value Logits(Value tokens, Value position, std::span<nn::KvCache> cache) const {
    Value numbers = Iota(tokens.graph(), {DType::kI32, {tokens.dim(1)}}, 0);
    if (position) numbers = numbers + position;
    const Positions positions = {
        position, nn::MakeRotaryTable(numbers, nn::RotaryFrequencies(HeadSize(config_), config_.rope_theta))};
    Value x = embed_tokens_(tokens);  // [B, T, D]
    Routings routings;
    const auto layer = [&](int64_t i, Value v) {
      const auto at = static_cast<size_t>(i);
      return layers_[at](v, positions, cache.empty() ? nullptr : &cache[at]);
    };
    const bool scanned = config_.scan_layers && cache.empty();
    const StackResult run = RunLayers(scope_, scanned, config_.num_hidden_layers, layer, x);
    x = run.x;
    for (const Values& routing : run.more) {
      if (!routing.empty()) routings.push_back({routing[0], routing[1], routing[2]});
    }
    if (scope_.train() && !routings.empty())
      scope_.AddPenalty(config_.moe->aux_loss_coef * nn::LoadImbalance(routings));
    return (lm_head_ ? *lm_head_ : embed_tokens_).Attend(norm_(x));
  }

  nn::Scope scope_;
  LlamaConfig config_;
  nn::Embedding embed_tokens_;
  std::vector<Layer> layers_;
  nn::RmsNorm norm_;
  std::optional<nn::Embedding> lm_head_;  // absent where tied to embed_tokens
};

}  // namespace

void LlamaConfig::Fields(config::Visitor& v) {
  v.Field("vocab_size", vocab_size, "Number of tokens; 256 for bytes", config::AtLeast(1));
  v.Field("hidden_size", hidden_size, "Width of the embeddings", config::AtLeast(1));
  v.Field("intermediate_size", intermediate_size, "Width inside of the feed-forward part",
          config::AtLeast(1));
  v.Field("num_hidden_layers", num_hidden_layers, "Number of layers", config::AtLeast(1));
  v.Field("num_attention_heads", num_attention_heads, "Heads of the queries of a layer", config::AtLeast(1));
  v.Field("num_key_value_heads", num_key_value_heads,
          "Heads of its keys and values; by default as many as of queries", config::AtLeast(1));
  v.Field("head_dim", head_dim, "Width of a head; by default hidden_size / num_attention_heads",
          config::AtLeast(2));
  v.Field("max_position_embeddings", max_position_embeddings, "The longest sequence that it can see",
          config::AtLeast(1));
  v.Field("rms_norm_eps", rms_norm_eps, "Added to mean squares", config::Positive());
  v.Field("rope_theta", rope_theta, "Base of the rotary frequencies", config::Positive());
  v.Field("initializer_range", initializer_range, "Standard deviation of the initial weights",
          config::Positive());
  v.Field("tie_word_embeddings", tie_word_embeddings, "Use the embedding of the tokens as the output layer");
  v.Field("scan_layers", scan_layers,
          "Run the layers as a loop: programs and compile times do not grow with their number");
  v.Field("moe", moe, "A mixture of experts instead of one feed-forward part a layer");
}

void LlamaConfig::FieldsOfArchitecture(config::Visitor& v) {
  if (!moe) return;
  v.Field("num_local_experts", moe->experts, "");
  v.Field("num_experts_per_tok", moe->top_k, "");
  v.Field("router_aux_loss_coef", moe->aux_loss_coef, "");
}

Status LlamaConfig::Validate() const {
  if (num_attention_heads % KeyHeads(*this) != 0) {
    return InvalidArgument("num_key_value_heads: {} heads of queries do not divide over {} of keys",
                           num_attention_heads, KeyHeads(*this));
  }
  if (!head_dim && hidden_size % num_attention_heads != 0) {
    return InvalidArgument("num_attention_heads: a width of {} does not divide over {} heads", hidden_size,
                           num_attention_heads);
  }
  if (HeadSize(*this) % 2 != 0)
    return InvalidArgument("head_dim: rotary positions turn pairs; {} is odd", HeadSize(*this));
  return Ok();
}

std::unique_ptr<LanguageModel> LlamaConfig::MakeLanguageModel(nn::Scope scope) const {
  return std::make_unique<Llama>(*this, scope);
}

std::unique_ptr<Model> LlamaConfig::Make(nn::Scope scope, const Shape& input) const {
  Require(input.rank() == 1, "llama: takes sequences of tokens [length], not {}", input.ToString());
  Require(input[0] <= max_position_embeddings,
          "llama: sees {} positions, but the sequences have {}: raise model.max_position_embeddings or "
          "shorten them",
          max_position_embeddings, input[0]);
  return MakeLanguageModel(scope);
}

}  // namespace headrace::models
