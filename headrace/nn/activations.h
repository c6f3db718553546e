// Activation functions, elementwise.
#pragma once

#include "headrace/graph/value.h"

namespace headrace::nn {

Value Relu(Value x);      // max(x, 0); its gradient at 0 is 0, as JAX's
Value Gelu(Value x);      // x Φ(x) by the error function (Hendrycks and Gimpel, 2016)
Value GeluTanh(Value x);  // the approximation by tanh

}  // namespace headrace::nn
