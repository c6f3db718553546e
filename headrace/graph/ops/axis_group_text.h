// A mesh among the attributes of an op, and the devices of its groups. For ops/ only.
#pragma once

#include "headrace/graph/ops/collectives.h"

namespace headrace {

// mesh = ["data=2", "fsdp=4"]
void VisitMesh(AttributeVisitor& v, Mesh& mesh);

// The devices of each group, in the order of their places.
std::vector<Ints> DevicesByGroup(const AxisGroup& group);

}  // namespace headrace
