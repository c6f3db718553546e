// Losses. Each gives one number an example; means and weights are the caller's.
#pragma once

#include "headrace/graph/value.h"

namespace headrace::nn {

// -log p(label): logits [..., classes], labels integer [...] -> [...] f32. `smoothing` of the target goes to
// all classes alike. As optax.softmax_cross_entropy_with_integer_labels.
Value CrossEntropy(Value logits, Value labels, double smoothing = 0);

// 1 where the largest logit is the label's, else 0: -> [...] f32.
Value Correct(Value logits, Value labels);

// (prediction - target)² and its mean over all dimensions but the first: [N, ...] -> [N] f32.
Value SquaredError(Value predictions, Value targets);

}  // namespace headrace::nn
