// Diagonals and triangles of matrices: of the last two dimensions, unless others are named. As in numpy, an
// offset of k > 0 is the k-th diagonal above the main one, of k < 0 below it.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// x [.., m, n] -> [.., k]. The two axes disappear; the diagonal is the last dimension.
Value Diagonal(Value x, int64_t offset = 0, int axis1 = -2, int axis2 = -1);

// The sum over a diagonal: [.., m, n] -> [..].
Value MatrixTrace(Value x, int64_t offset = 0, int axis1 = -2, int axis2 = -1);

// x [.., n] -> [.., n + |offset|, n + |offset|]: zeros but for one diagonal.
Value DiagonalMatrix(Value x, int64_t offset = 0);

// x [.., m, n], zeros above, or below, the diagonal.
Value Tril(Value x, int64_t offset = 0);
Value Triu(Value x, int64_t offset = 0);

// [rows, columns]: ones on a diagonal, zeros elsewhere.
Value Eye(Graph& graph, DType dtype, int64_t rows, int64_t columns, int64_t offset = 0);
inline Value Eye(Graph& graph, DType dtype, int64_t size) { return Eye(graph, dtype, size, size); }

}  // namespace headrace
