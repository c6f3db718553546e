// The Cholesky decomposition of positive definite matrices.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// a [..., n, n], Hermitian (real: symmetric) and positive definite, f32, f64 or complex -> lower L with
// L · L^H = a, or upper U with U^H · U = a; zeros in the other triangle. NaN where a is not positive
// definite. What is decomposed is (a + a^H) / 2, so that gradients are Hermitian too.
Value Cholesky(Value a, bool upper = false);

// The last two dimensions exchanged; conjugated besides.
Value MatrixTranspose(Value x);
Value Adjoint(Value x);

}  // namespace headrace
