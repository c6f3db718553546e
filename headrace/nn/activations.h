// Activation functions, elementwise.
#pragma once

#include "headrace/graph/value.h"

namespace headrace::nn {

Value Relu(Value x);       // max(x, 0); its gradient at 0 is 0, as JAX's
Value Relu6(Value x);      // min(relu(x), 6)
Value Gelu(Value x);       // x Φ(x) by the error function (Hendrycks and Gimpel, 2016)
Value GeluTanh(Value x);   // the approximation by tanh
Value GeluQuick(Value x);  // x / (1 + e^(-1.702 x)), a coarser one
Value Silu(Value x);       // x / (1 + e^-x) (Elfwing et al., 2017; also called swish)

// Gated activations (Shazeer, "GLU variants improve transformer", 2020): silu(gate) · x, gelu(gate) · x.
Value SwiGlu(Value gate, Value x);
Value GeGlu(Value gate, Value x);

}  // namespace headrace::nn
