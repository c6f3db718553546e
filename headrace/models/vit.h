// Vit: vision transformers (Dosovitskiy et al., "An image is worth 16x16 words", 2020).
//
// Field names, defaults and parameter names are those of Hugging Face's vit, whose folders it reads and
// writes. ViT-Tiny has a hidden_size of 192, 3 heads and an intermediate_size of 768; Small 384, 6 and 1536.
#pragma once

#include "headrace/models/model.h"

namespace headrace::models {

struct VitConfig {
  static constexpr std::string_view kKind = "vit";
  static constexpr bool kHasBlocks = true;
  static constexpr std::string_view kModelType = "vit";
  static constexpr std::string_view kArchitecture = "ViTForImageClassification";

  int64_t classes = 1000;
  int64_t image_size = 224;
  int64_t patch_size = 16;
  int64_t num_channels = 3;
  int64_t hidden_size = 768;
  int64_t num_hidden_layers = 12;
  int64_t num_attention_heads = 12;
  int64_t intermediate_size = 3072;
  double hidden_dropout_prob = 0;
  double attention_probs_dropout_prob = 0;
  double layer_norm_eps = 1e-12;
  double initializer_range = 0.02;
  bool scan_layers = false;

  void Fields(config::Visitor& v);
  Status Validate() const;

  // `input` is [height, width, channels] of one example. Names: vit.embeddings.cls_token,
  // vit.encoder.layer.0.attention.attention.query, …, vit.layernorm, classifier.
  std::unique_ptr<Model> Make(nn::Scope scope, const Shape& input) const;
};

}  // namespace headrace::models
