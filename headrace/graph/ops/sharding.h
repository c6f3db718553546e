// How values are laid over the devices of a mesh, said inside a function.
#pragma once

#include "headrace/graph/graph.h"
#include "headrace/graph/mesh.h"

namespace headrace {

// The same value, laid out so. Axes that the mesh of the module lacks have size 1 and split nothing; without
// a mesh this is no operation at all. The cotangent is laid out like the value.
Value ConstrainSharding(Value x, const Sharding& sharding);

}  // namespace headrace
