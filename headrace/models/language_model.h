// LanguageModel: what a family gives that reads tokens: trained on which token comes next, and run position
// by position to write text.
//
//   std::unique_ptr<LanguageModel> model = config.MakeLanguageModel(nn::Scope(frame));
//   Value logits = (*model)(tokens);                          // [B, T] -> [B, T, vocabulary]
//   Value next = model->Decode(token, position, cache);       // [B, 1] -> [B, 1, vocabulary]
#pragma once

#include <vector>

#include "headrace/models/model.h"

namespace headrace::models {

class LanguageModel : public Model {
 public:
  // How many positions it can see.
  virtual int64_t ContextLength() const = 0;

  // What it keeps of `batch` sequences of `length` positions: keys and values of each layer, or a state whose
  // size does not depend on the length. It begins as zeros.
  virtual std::vector<TensorType> CacheTypes(int64_t batch, int64_t length) const = 0;

  // Logits of tokens [B, T] at the positions `position` … position + T-1 (i32 []), after those in `cache`,
  // which takes up these.
  virtual Value Decode(Value tokens, Value position, Values& cache) const = 0;
};

}  // namespace headrace::models
