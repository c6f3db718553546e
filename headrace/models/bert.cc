#include "headrace/models/bert.h"

#include "headrace/graph/ops.h"
#include "headrace/models/encoder_attention.h"
#include "headrace/nn/activations.h"
#include "headrace/nn/embedding.h"
#include "headrace/nn/norm.h"
#include "headrace/nn/projection.h"

namespace headrace::models {
namespace {

nn::Initializer InitialWeight(const BertConfig& config) { return nn::NormalInit(config.initializer_range); }

nn::Projection Dense(const BertConfig& config, nn::Scope scope, nn::Dim in, nn::Dim out) {
  return {scope, std::move(in), std::move(out), InitialWeight(config), true};
}

class Layer {
 public:
  Layer(const BertConfig& config, nn::Scope scope)
      : attention_(scope / "attention", "self", config.hidden_size, config.num_attention_heads,
                   InitialWeight(config)),
        attention_norm_(scope / "attention" / "output" / "LayerNorm", {config.hidden_size, "embed"},
                        config.layer_norm_eps),
        intermediate_(Dense(config, scope / "intermediate" / "dense", {config.hidden_size, "embed"},
                            {config.intermediate_size, "mlp"})),
        output_(Dense(config, scope / "output" / "dense", {config.intermediate_size, "mlp"},
                      {config.hidden_size, "embed"})),
        norm_(scope / "output" / "LayerNorm", {config.hidden_size, "embed"}, config.layer_norm_eps) {}

  // x [B, T, D]; segments [B, T]: a token sees those of its own.
  Value operator()(Value x, Value segments) const {
    x = attention_norm_(attention_(x, {.query_segments = segments, .key_segments = segments}) + x);
    return norm_(output_(nn::Gelu(intermediate_(x))) + x);
  }

 private:
  EncoderAttention attention_;
  nn::LayerNorm attention_norm_;
  nn::Projection intermediate_, output_;
  nn::LayerNorm norm_;
};

}  // namespace

class Bert::Body {
 public:
  Body(const BertConfig& config, nn::Scope scope)
      : scope_(scope),
        words_(Table(config, scope / "embeddings" / "word_embeddings", {config.vocab_size, "vocab"})),
        positions_(
            Table(config, scope / "embeddings" / "position_embeddings", config.max_position_embeddings)),
        types_(Table(config, scope / "embeddings" / "token_type_embeddings", config.type_vocab_size)),
        norm_(scope / "embeddings" / "LayerNorm", {config.hidden_size, "embed"}, config.layer_norm_eps) {
    for (int64_t layer = 0; layer < config.num_hidden_layers; ++layer)
      layers_.emplace_back(config, scope / "encoder" / "layer" / layer);
  }

  Value operator()(Value tokens, Value types, Value mask) const {
    const Value positions = Iota(tokens.graph(), {DType::kI32, {tokens.dim(1)}}, 0);
    Value x = norm_(words_(tokens) + types_(types) + positions_(positions));  // [B, T, D]
    const Value segments = Convert(mask, DType::kI32);  // padding is a segment of its own
    for (const Layer& layer : layers_) {
      x = scope_.Remat([&](auto v) { return Values{layer(v[0], segments)}; }, {x})[0];
    }
    return x;
  }

 private:
  static nn::Embedding Table(const BertConfig& config, nn::Scope scope, nn::Dim count) {
    return {scope, std::move(count), {config.hidden_size, "embed"}, InitialWeight(config)};
  }

  nn::Scope scope_;
  nn::Embedding words_, positions_, types_;
  nn::LayerNorm norm_;
  std::vector<Layer> layers_;
};

Bert::Bert(const BertConfig& config, nn::Scope scope) : body_(std::make_unique<Body>(config, scope)) {}
Bert::~Bert() = default;
Value Bert::operator()(Value tokens, Value types, Value mask) const { return (*body_)(tokens, types, mask); }

Value PooledByFirstToken(const BertConfig& config, nn::Scope scope, Value hidden) {
  const nn::Projection dense =
      Dense(config, scope / "pooler" / "dense", {config.hidden_size, "embed"}, {config.hidden_size});
  return Tanh(dense(Reshape(Slice(hidden, 1, 0, 1), {hidden.dim(0), hidden.dim(2)})));
}

Value SentenceEmbedding(Value hidden, Value mask) {
  const Value weight = ExpandDims(Convert(mask, hidden.dtype()), -1);              // [B, T, 1]
  const Value mean = Sum(hidden * weight, {1}) / Maximum(Sum(weight, {1}), 1e-9);  // [B, D]
  return mean / Maximum(ExpandDims(Sqrt(Sum(mean * mean, {1})), -1), 1e-12);
}

void BertConfig::Fields(config::Visitor& v) {
  v.Field("vocab_size", vocab_size, "Number of tokens", config::AtLeast(1));
  v.Field("hidden_size", hidden_size, "Width of the embeddings", config::AtLeast(1));
  v.Field("intermediate_size", intermediate_size, "Width inside of the feed-forward part",
          config::AtLeast(1));
  v.Field("num_hidden_layers", num_hidden_layers, "Number of layers", config::AtLeast(1));
  v.Field("num_attention_heads", num_attention_heads, "Attention heads of a layer; they share its width",
          config::AtLeast(1));
  v.Field("max_position_embeddings", max_position_embeddings, "The longest sequence that it can see",
          config::AtLeast(1));
  v.Field("type_vocab_size", type_vocab_size, "Kinds of segments", config::AtLeast(1));
  v.Field("layer_norm_eps", layer_norm_eps, "Added to variances", config::Positive());
  v.Field("initializer_range", initializer_range, "Standard deviation of the initial weights",
          config::Positive());
}

Status BertConfig::Validate() const {
  if (hidden_size % num_attention_heads == 0) return Ok();
  return InvalidArgument("num_attention_heads: a width of {} does not divide over {} heads", hidden_size,
                         num_attention_heads);
}

}  // namespace headrace::models
