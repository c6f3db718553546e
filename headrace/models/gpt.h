// Gpt: the GPT-2 family (Radford et al., "Language models are unsupervised multitask learners", 2019).
//
// Field names, defaults but for the vocabulary and dropout, and parameter names are those of Hugging Face's
// gpt2, whose folders it reads and writes.
#pragma once

#include <optional>

#include "headrace/models/language_model.h"

namespace headrace::models {

struct GptConfig {
  static constexpr std::string_view kKind = "gpt";
  static constexpr bool kHasBlocks = true;
  static constexpr std::string_view kModelType = "gpt2";
  static constexpr std::string_view kArchitecture = "GPT2LMHeadModel";
  static constexpr Purpose kPurpose = Purpose::kLanguage;

  int64_t vocab_size = 256;
  int64_t n_positions = 1024;
  int64_t n_embd = 768;
  int64_t n_layer = 12;
  int64_t n_head = 12;
  std::optional<int64_t> n_inner{};  // 4 · n_embd
  std::string activation_function = "gelu_new";
  double embd_pdrop = 0;
  double resid_pdrop = 0;
  double attn_pdrop = 0;
  double layer_norm_epsilon = 1e-5;
  double initializer_range = 0.02;
  bool tie_word_embeddings = true;
  bool scan_layers = false;

  void Fields(config::Visitor& v);
  Status Validate() const;

  // Names: wte, wpe, h.0.ln_1, h.0.attn.c_attn, h.0.attn.c_proj, h.0.ln_2, h.0.mlp.c_fc, h.0.mlp.c_proj, …,
  // ln_f; lm_head where the embeddings are not tied.
  std::unique_ptr<LanguageModel> MakeLanguageModel(nn::Scope scope) const;
  // `input` is [length] of one example.
  std::unique_ptr<Model> Make(nn::Scope scope, const Shape& input) const;
};

}  // namespace headrace::models
