#include "headrace/graph/ops/axis_group_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace headrace {

void VisitMesh(AttributeVisitor& v, Mesh& mesh) {
  std::vector<std::string> axes;
  for (const MeshAxis& axis : mesh.axes) axes.push_back(fmt::format("{}={}", axis.name, axis.size));
  v.Visit("mesh", axes);
  mesh.axes.clear();
  for (const std::string& axis : axes) {
    const size_t equals = axis.find('=');
    const bool has_size = equals != std::string::npos && equals + 1 < axis.size() &&
                          axis.find_first_not_of("0123456789", equals + 1) == std::string::npos;
    Require(has_size, "'{}' is not an axis like data=2", axis);
    mesh.axes.push_back({axis.substr(0, equals), std::stoll(axis.substr(equals + 1))});
  }
}

std::vector<Ints> DevicesByGroup(const AxisGroup& group) {
  // A group is what agrees in the places along the other axes.
  std::map<Ints, Ints> by_rest;
  for (int64_t device = 0; device < group.mesh.DeviceCount(); ++device) {
    Ints rest;
    const int64_t place = BlockOf(group.mesh, {{group.axes}}, Shape({group.size()}), device).start[0];
    for (const MeshAxis& axis : group.mesh.axes) {
      if (std::ranges::find(group.axes, axis.name) != group.axes.end()) continue;
      rest.push_back(BlockOf(group.mesh, {{{axis.name}}}, Shape({axis.size}), device).start[0]);
    }
    Ints& devices = by_rest[rest];
    devices.resize(static_cast<size_t>(group.size()));
    devices[static_cast<size_t>(place)] = device;
  }
  std::vector<Ints> groups;
  for (auto& [rest, devices] : by_rest) groups.push_back(std::move(devices));
  return groups;
}

}  // namespace headrace
