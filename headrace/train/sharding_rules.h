// Sharding rules: from the logical axes that a parameter names to the mesh axes that split it.
//
// Data, fully sharded (ZeRO) and tensor parallelism are rows of this table, not code.
#pragma once

#include <string>
#include <vector>

#include "headrace/graph/mesh.h"

namespace headrace::train {

struct ShardingRule {
  std::string logical;                 // "embed"
  std::vector<std::string> mesh_axes;  // {"fsdp"}
};
using ShardingRules = std::vector<ShardingRule>;

// batch over data and fsdp, embed over fsdp, mlp, heads and vocab over tensor.
const ShardingRules& DefaultRules();

// How `shape`, whose dimensions have the logical axes `axes`, lies on `mesh`. Mesh axes that the mesh lacks,
// that are taken by an earlier dimension, or that do not divide the size, leave the dimension whole.
Sharding ShardingOf(const Shape& shape, const std::vector<std::string>& axes, const Mesh& mesh,
                    const ShardingRules& rules = DefaultRules());

// Of a batch field: dimension 0 is "batch".
Sharding BatchSharding(const Shape& shape, const Mesh& mesh, const ShardingRules& rules = DefaultRules());

// Into how many parts a mesh splits a batch.
int64_t BatchParts(const Mesh& mesh, const ShardingRules& rules = DefaultRules());

}  // namespace headrace::train
