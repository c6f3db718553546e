// Vmap: runs a function written for one example on a batch of them, through the batching rule of each op.
//
//   // per_example: f32[3] -> f32[];  xs: f32[8, 3]
//   Values losses = Vmap(per_example, {&xs, 1}, {{0}});      // f32[8]
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "headrace/graph/function.h"

namespace headrace {

// Applies `body` to slices of `arguments` along their axis in `in_axes` (nothing: the same for every example)
// and stacks each result along dimension `out_axis`. The body may use values of the graph around it: they are
// the same for every example. Throws GraphError when the batch sizes differ or no axis is given.
Values Vmap(const ValueFn& body, std::span<const Value> arguments,
            const std::vector<std::optional<int>>& in_axes, int out_axis = 0);

}  // namespace headrace
