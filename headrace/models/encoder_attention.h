// EncoderAttention: every token sees the others, through queries, keys and values of projections of their
// own; what BERT and ViT have in their layers.
#pragma once

#include "headrace/nn/attention.h"
#include "headrace/nn/projection.h"

namespace headrace::models {

class EncoderAttention {
 public:
  // Names: NAME.query, NAME.key, NAME.value, where `name` is a family's own, and output.dense.
  EncoderAttention(nn::Scope scope, std::string_view name, int64_t width, int64_t heads,
                   const nn::Initializer& init);

  // [B, T, D] -> the same; what is added to it, and normalized, is the family's.
  Value operator()(Value x, const nn::AttentionOptions& options = {}) const;

 private:
  nn::Scope scope_;
  int64_t heads_;
  nn::Projection query_, key_, value_, dense_;
};

}  // namespace headrace::models
