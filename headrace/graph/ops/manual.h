// Manual computation: a part of a program that is written for one device, with its exchanges.
#pragma once

#include <string>
#include <vector>

#include "headrace/graph/function.h"
#include "headrace/graph/mesh.h"
#include "headrace/graph/ops/collectives.h"

namespace headrace {

// Runs `body` on each device, on its blocks of the operands: dimension d of operand i is cut along the axes
// in_shardings[i].dims[d]. The results are put together as out_shardings say; where those leave an axis out,
// the devices along it must have made the same. The body sees the collectives; values of the graph around it
// must be passed in. The program that it is part of must be for the same mesh. As jax.shard_map.
//
//   const AxisGroup data{mesh, {"data"}};
//   Value mean = ManualComputation(mesh, {x}, {{{{"data"}, {}}}}, {{{{}}}}, [&](auto v) {
//     return Values{AllReduce(Sum(v[0], {0}), data) / 8.0};
//   })[0];
Values ManualComputation(const Mesh& mesh, Values operands, std::vector<Sharding> in_shardings,
                         std::vector<Sharding> out_shardings, const ValueFn& body);

}  // namespace headrace
