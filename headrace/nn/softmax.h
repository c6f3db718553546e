// Softmax and its logarithm, over the last dimension, shifted by its maximum, so that nothing overflows.
#pragma once

#include "headrace/graph/value.h"

namespace headrace::nn {

Value LogSumExp(Value x);  // [..., n] -> [...]; of nothing but -inf, -inf
Value Softmax(Value x);
Value LogSoftmax(Value x);

// Softmax over the elements where `mask` (pred, broadcast to x) is true, 0 elsewhere; all zeros where it is
// true for none, a case that `never_empty` leaves out. Neither values nor gradients are ever NaN for that.
// REQUIRES: the last dimension of the mask is that of x
Value MaskedSoftmax(Value x, Value mask, bool never_empty = false);

}  // namespace headrace::nn
