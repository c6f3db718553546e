// LanguageModel: what a family gives that reads tokens: trained on which token comes next, and run position
// by position to write text.
//
//   std::unique_ptr<LanguageModel> model = config.MakeLanguageModel(nn::Scope(frame));
//   Value logits = (*model)(tokens);                          // [B, T] -> [B, T, vocabulary]
//   Value next = model->Decode(token, position, cache);       // [B, 1] -> [B, 1, vocabulary]
#pragma once

#include <vector>

#include "headrace/models/model.h"
#include "headrace/nn/kv_cache.h"

namespace headrace::models {

class LanguageModel : public Model {
 public:
  // How many positions it can see.
  virtual int64_t ContextLength() const = 0;

  // The type of the keys, and of the values, of each layer for `batch` sequences of `length` positions.
  virtual std::vector<TensorType> CacheTypes(int64_t batch, int64_t length) const = 0;

  // Logits of tokens [B, T] at the positions `position` … position + T-1 (i32 []), after those in `cache`,
  // which has an entry a layer and takes up these.
  virtual Value Decode(Value tokens, Value position, std::vector<nn::KvCache>& cache) const = 0;
};

}  // namespace headrace::models
