// Calls of functions that are registered with the runtime under a name (see headrace/runtime).
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// Every result's type must be known here: the compiler cannot see into the call. It has no gradient and no
// batching rule; wrap it in a composite or a function with a gradient of its own.
struct CustomCallOptions {
  std::string target;
  std::vector<TensorType> results;
  // The attributes that the handler reads, as an MLIR dictionary without its braces: "eps = 1.0e-5 : f32".
  std::string backend_config;
  // True keeps the call although its results are the same each time.
  bool has_side_effect = false;
};

Values CustomCall(Graph& graph, Values operands, CustomCallOptions options);

}  // namespace headrace
