// Embedding: a table of vectors, read by number.
#pragma once

#include "headrace/nn/initializers.h"

namespace headrace::nn {

// Integer [...] -> [..., features]; a number that the table lacks gives NaN, so that it shows. Parameter
// `weight` [count, features]. As flax.linen.Embed.
class Embedding {
 public:
  Embedding(Scope scope, Dim count, Dim features, Initializer weight);
  Value operator()(Value numbers) const;

  // The product of each vector with every row: [..., features] -> [..., count]. These are logits where the
  // input embedding is also the output layer (Press and Wolf, 2017).
  Value Attend(Value x) const;

 private:
  Scope scope_;
  Value weight_;
};

}  // namespace headrace::nn
