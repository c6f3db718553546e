// Bert: encoders of text (Devlin et al., "BERT", 2018), and sentence embeddings by the mean of their tokens
// (Reimers and Gurevych, "Sentence-BERT", 2019), as MiniLM.
//
// Field names, defaults and parameter names are those of Hugging Face's bert.
#pragma once

#include "headrace/models/model.h"

namespace headrace::models {

struct BertConfig {
  static constexpr std::string_view kKind = "bert";
  static constexpr std::string_view kModelType = "bert";
  static constexpr std::string_view kArchitecture = "BertModel";

  int64_t vocab_size = 30522;
  int64_t hidden_size = 768;
  int64_t intermediate_size = 3072;
  int64_t num_hidden_layers = 12;
  int64_t num_attention_heads = 12;
  int64_t max_position_embeddings = 512;
  int64_t type_vocab_size = 2;
  double layer_norm_eps = 1e-12;
  double initializer_range = 0.02;

  void Fields(config::Visitor& v);
  Status Validate() const;
};

class Bert {
 public:
  // Names: embeddings.word_embeddings, encoder.layer.0.attention.self.query, …
  Bert(const BertConfig& config, nn::Scope scope);
  ~Bert();

  // tokens, types: integer [B, T]; mask: pred [B, T], false for padding. The last hidden states, [B, T, D].
  Value operator()(Value tokens, Value types, Value mask) const;

 private:
  class Body;
  std::unique_ptr<Body> body_;
};

// What the first token stands for, through a layer of its own: hidden states [B, T, D] -> [B, D]. Name:
// pooler.dense.
Value PooledByFirstToken(const BertConfig& config, nn::Scope scope, Value hidden);

// The mean of the hidden states of the tokens that the mask lets through, of length 1: [B, T, D], pred [B, T]
// -> [B, D]. As the sentence-transformers modules Pooling (mean) and Normalize.
Value SentenceEmbedding(Value hidden, Value mask);

}  // namespace headrace::models
