#include "headrace/models/rnn.h"

#include <array>
#include <limits>

#include "headrace/graph/ops.h"
#include "headrace/nn/dropout.h"
#include "headrace/nn/embedding.h"
#include "headrace/nn/recurrent.h"

namespace headrace::models {
namespace {

constexpr std::array<std::string_view, 2> kCells = {"lstm", "gru"};
constexpr double kInitialRange = 0.1;  // of the embeddings and the output layer

int64_t EmbeddingSize(const RnnConfig& config) { return config.embedding_size.value_or(config.hidden_size); }

class Rnn final : public LanguageModel {
 public:
  Rnn(const RnnConfig& config, nn::Scope scope)
      : scope_(scope),
        encoder_(scope / "encoder", {config.vocab_size, "vocab"}, {EmbeddingSize(config), "embed"},
                 nn::UniformInit(kInitialRange)),
        dropout_in_(scope / "dropout_in", config.dropout),
        rnn_(scope / "rnn", config.cell == "gru" ? nn::RecurrentCell::kGru : nn::RecurrentCell::kLstm,
             {EmbeddingSize(config), "embed"}, {config.hidden_size, "mlp"},
             {.layers = config.num_layers, .dropout = config.dropout}),
        dropout_out_(scope / "dropout_out", config.dropout),
        bias_((scope / "decoder").Param("bias", {{config.vocab_size, "vocab"}}, nn::Zeros())) {
    if (config.tie_word_embeddings) return;
    decoder_.emplace(scope / "decoder", nn::Dim(config.vocab_size, "vocab"),
                     nn::Dim(config.hidden_size, "mlp"), nn::UniformInit(kInitialRange));
  }

  int64_t ContextLength() const override { return std::numeric_limits<int32_t>::max(); }

  std::vector<TensorType> CacheTypes(int64_t batch, int64_t /*length*/) const override {
    return rnn_.StateTypes(batch);
  }

  Value operator()(Value tokens) const override { return Logits(rnn_(Embedded(tokens))); }

  Value Decode(Value tokens, Value /*position*/, Values& cache) const override {
    return Logits(rnn_(Embedded(tokens), cache));
  }

 private:
  // tokens [B, T] -> [B, T, embedding size]
  Value Embedded(Value tokens) const { return dropout_in_(encoder_(tokens)); }

  // [B, T, hidden] -> [B, T, vocabulary]
  Value Logits(Value hidden) const {
    const Value logits = (decoder_ ? *decoder_ : encoder_).Attend(dropout_out_(hidden));
    auto entered = (scope_ / "decoder").Enter();
    return logits + bias_;
  }

  nn::Scope scope_;
  nn::Embedding encoder_;
  nn::Dropout dropout_in_;
  nn::Recurrent rnn_;
  nn::Dropout dropout_out_;
  Value bias_;
  std::optional<nn::Embedding> decoder_;  // absent where tied to the encoder
};

}  // namespace

void RnnConfig::Fields(config::Visitor& v) {
  v.OneOf("cell", cell, kCells, "Kind of the recurrent cells");
  v.Field("vocab_size", vocab_size, "Number of tokens; 256 for bytes", config::AtLeast(1));
  v.Field("hidden_size", hidden_size, "Width of the state of each layer", config::AtLeast(1));
  v.Field("embedding_size", embedding_size, "Width of the embeddings; by default hidden_size",
          config::AtLeast(1));
  v.Field("num_layers", num_layers, "Number of recurrent layers", config::AtLeast(1));
  v.Field("dropout", dropout, "Dropout of the embeddings, between layers and of the last one",
          config::Between(0, 0.99));
  v.Field("tie_word_embeddings", tie_word_embeddings, "Use the embedding of the tokens as the output layer");
}

Status RnnConfig::Validate() const {
  if (!tie_word_embeddings || EmbeddingSize(*this) == hidden_size) return Ok();
  return InvalidArgument("tie_word_embeddings: embeddings of {} cannot be the output layer of a state of {}",
                         EmbeddingSize(*this), hidden_size);
}

std::unique_ptr<LanguageModel> RnnConfig::MakeLanguageModel(nn::Scope scope) const {
  return std::make_unique<Rnn>(*this, scope);
}

std::unique_ptr<Model> RnnConfig::Make(nn::Scope scope, const Shape& input) const {
  Require(input.rank() == 1, "rnn: takes sequences of tokens [length], not {}", input.ToString());
  return MakeLanguageModel(scope);
}

}  // namespace headrace::models
