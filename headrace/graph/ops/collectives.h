// Exchanges between the devices of a mesh, inside a manual computation (see manual.h).
//
// Each works in groups: devices that differ only in their places along the axes of the group.
#pragma once

#include "headrace/graph/graph.h"
#include "headrace/graph/mesh.h"
#include "headrace/graph/ops/reduce.h"

namespace headrace {

struct AxisGroup {
  Mesh mesh;
  std::vector<std::string> axes;

  int64_t size() const;
};

// The sum of the group's values, on each of its devices (jax.lax.psum); or their product, greatest, least.
Value AllReduce(Value x, const AxisGroup& group, Reduction reduction = Reduction::kAdd);

// The group's values behind each other along dimension `dim` (jax.lax.all_gather, tiled).
Value AllGather(Value x, int dim, const AxisGroup& group);

// The sum, of which each device keeps its part of dimension `dim` (jax.lax.psum_scatter, tiled).
Value ReduceScatter(Value x, int dim, const AxisGroup& group);

// Dimension `split_dim` cut into parts, one for each device; what comes is put behind each other along
// `concat_dim` (jax.lax.all_to_all, tiled).
Value AllToAll(Value x, int split_dim, int concat_dim, const AxisGroup& group);

// Sends x from place pair[0] of the group to place pair[1]; who is sent nothing gets zeros
// (jax.lax.ppermute).
Value CollectivePermute(Value x, const Padding& pairs, const AxisGroup& group);

// This device's place in the group, i32[] (jax.lax.axis_index).
Value AxisIndex(Graph& graph, const AxisGroup& group);

}  // namespace headrace
