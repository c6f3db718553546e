// Cross-entropy of language models: of tokens that do not all count, and of more tokens than whose logits
// fit.
#pragma once

#include <cstdint>

#include "headrace/graph/value.h"

namespace headrace::nn {

struct CrossEntropyOptions {
  double smoothing = 0;  // this share of the target goes to all classes alike
  double z_loss = 0;     // weight of the squared log of the normalizer, as in PaLM (Chowdhery et al., 2022)
  int64_t ignore_index = -100;  // a label that counts for nothing: its loss and gradient are 0
};

// -log p(label): logits [..., classes], labels integer [...] -> [...] f32. As torch's cross_entropy without a
// mean.
Value CrossEntropy(Value logits, Value labels, const CrossEntropyOptions& options);

// The same for logits hidden · weightᵀ that are never held all at once: `chunk` rows at a time go forward,
// and again when the gradient comes back. hidden [N, features], weight [classes, features], labels integer
// [N] -> [N] f32. Throws GraphError where N is no multiple of `chunk`.
Value ChunkedCrossEntropy(Value hidden, Value weight, Value labels, int64_t chunk,
                          const CrossEntropyOptions& options = {});

}  // namespace headrace::nn
