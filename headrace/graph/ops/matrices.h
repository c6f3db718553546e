// What decompositions of matrices require of their operands. For ops/ only.
#pragma once

#include <string_view>

#include "headrace/graph/graph.h"

namespace headrace {

// f32, f64, or complex of these: what XLA decomposes.
void RequireDecomposable(DType dtype);
void RequireMatrices(const TensorType& type);        // [..., m, n] of such
void RequireSquareMatrices(const TensorType& type);  // [..., n, n] of such

// Of any element type, before there is an op; `name` is what the message calls the function.
void RequireSquareMatrices(std::string_view name, Value a);

}  // namespace headrace
