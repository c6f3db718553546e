// Losses of one number and its target; means and weights are the caller's. All give f32, of the common shape.
#pragma once

#include "headrace/graph/value.h"

namespace headrace::nn {

// Of a logit and the probability of its class: -y log σ(x) - (1 - y) log(1 - σ(x)), without overflow.
Value SigmoidCrossEntropy(Value logits, Value targets);

Value AbsoluteError(Value predictions, Value targets);

// Squared near the target, linear beyond `delta` from it (Huber, 1964).
Value Huber(Value predictions, Value targets, double delta = 1);

// max(0, 1 - prediction · target), for targets -1 and 1.
Value Hinge(Value predictions, Value targets);

// Σ target · (log target - log_prediction) over the last dimension: how far predictions, given as logs, are
// from targets, given as probabilities (Kullback and Leibler, 1951). [..., n] -> [...].
Value KlDivergence(Value log_predictions, Value targets);

}  // namespace headrace::nn
