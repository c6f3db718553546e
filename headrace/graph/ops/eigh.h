// Eigenvalues and eigenvectors of Hermitian (real: symmetric) matrices.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

struct EighResult {
  Value eigenvalues;   // [..., n], real, rising
  Value eigenvectors;  // [..., n, n], in columns, orthonormal; which way they point is left open
};

// a [..., n, n], f32, f64 or complex; what is decomposed is (a + a^H) / 2. Gradients of eigenvectors are
// infinite where eigenvalues are equal, those of eigenvalues alone never are.
EighResult Eigh(Value a);

}  // namespace headrace
