// Linear equations with a triangular matrix.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

enum class TransposeA { kNoTranspose, kTranspose, kAdjoint };

struct TriangularSolveOptions {
  bool left_side = true;       // op(a) · x = b; else x · op(a) = b
  bool lower = true;           // the triangle of a that is read; the other may hold anything
  bool unit_diagonal = false;  // the diagonal is ones, and what a has there is not read
  TransposeA transpose_a = TransposeA::kNoTranspose;  // op
};

// x from a [..., n, n] and b [..., n, k], or [..., k, n] with a on the right side, of one element type; the
// leading dimensions are equal. A zero on the diagonal gives infinities.
Value TriangularSolve(Value a, Value b, const TriangularSolveOptions& options = {});

}  // namespace headrace
