// Values that depend on nothing: constants and counters.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

Value Constant(Graph& graph, HostTensor tensor);

// A scalar, and one number in every place.
Value Scalar(Graph& graph, DType dtype, double value);
Value Full(Graph& graph, const TensorType& type, double value);
Value FullLike(Value x, double value);
inline Value ZerosLike(Value x) { return FullLike(x, 0); }
inline Value OnesLike(Value x) { return FullLike(x, 1); }

// 0, 1, 2, … along `axis`.
Value Iota(Graph& graph, const TensorType& type, int axis);

}  // namespace headrace
