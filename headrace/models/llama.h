// Llama: decoders with rotary positions, RMS norm, gated feed-forward layers and grouped queries (Touvron et
// al., "LLaMA", 2023), as SmolLM2 and many others.
//
// Field names, defaults and parameter names are those of Hugging Face's llama, whose folders it reads and
// writes; with a mixture of experts, those of its mixtral.
#pragma once

#include <optional>

#include "headrace/models/language_model.h"
#include "headrace/models/mixture_of_experts.h"

namespace headrace::models {

struct LlamaConfig {
  static constexpr std::string_view kKind = "llama";
  static constexpr bool kHasBlocks = true;
  static constexpr Purpose kPurpose = Purpose::kLanguage;

  int64_t vocab_size = 32000;
  int64_t hidden_size = 4096;
  int64_t intermediate_size = 11008;
  int64_t num_hidden_layers = 32;
  int64_t num_attention_heads = 32;
  std::optional<int64_t> num_key_value_heads{};  // num_attention_heads
  std::optional<int64_t> head_dim{};             // hidden_size / num_attention_heads
  int64_t max_position_embeddings = 2048;
  double rms_norm_eps = 1e-6;
  double rope_theta = 10000;
  double initializer_range = 0.02;
  bool tie_word_embeddings = false;
  std::optional<MixtureConfig> moe{};  // instead of one feed-forward part a layer
  bool scan_layers = false;

  void Fields(config::Visitor& v);
  Status Validate() const;

  // What config.json of a Hugging Face folder says: the family, and fields beside those here.
  std::string_view ModelType() const { return moe ? "mixtral" : "llama"; }
  std::string_view Architecture() const { return moe ? "MixtralForCausalLM" : "LlamaForCausalLM"; }
  void FieldsOfArchitecture(config::Visitor& v);

  // Names: model.embed_tokens, model.layers.0.self_attn.q_proj, …, model.norm; lm_head where the embeddings
  // are not tied.
  std::unique_ptr<LanguageModel> MakeLanguageModel(nn::Scope scope) const;
  // `input` is [length] of one example.
  std::unique_ptr<Model> Make(nn::Scope scope, const Shape& input) const;
};

}  // namespace headrace::models
