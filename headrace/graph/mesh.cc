#include "headrace/graph/mesh.h"

#include <fmt/format.h>

#include <algorithm>

#include "headrace/core/check.h"

namespace headrace {
namespace {

int64_t PartsOf(const Mesh& mesh, const std::vector<std::string>& axes) {
  int64_t parts = 1;
  for (const std::string& axis : axes) parts *= mesh.AxisSize(axis);
  return parts;
}

// The coordinate of a device along one axis.
int64_t Coordinate(const Mesh& mesh, const std::string& axis, int64_t device) {
  for (size_t i = mesh.axes.size(); i-- > 0; device /= mesh.axes[i].size) {
    if (mesh.axes[i].name == axis) return device % mesh.axes[i].size;
  }
  return 0;
}

}  // namespace

int64_t Mesh::DeviceCount() const {
  int64_t count = 1;
  for (const MeshAxis& axis : axes) count *= axis.size;
  return count;
}

int64_t Mesh::AxisSize(const std::string& name) const {
  for (const MeshAxis& axis : axes) {
    if (axis.name == name) return axis.size;
  }
  return 1;
}

bool Sharding::IsReplicated() const {
  for (const auto& axes : dims) {
    if (!axes.empty()) return false;
  }
  return true;
}

Sharding Sharding::On(const Mesh& mesh) const {
  Sharding there = *this;
  for (auto& axes : there.dims) {
    std::erase_if(axes, [&](const std::string& name) {
      return name != kOpen && std::ranges::find(mesh.axes, name, &MeshAxis::name) == mesh.axes.end();
    });
  }
  return there;
}

std::string Sharding::ToSdy(bool bare) const {
  std::vector<std::string> texts;
  for (const auto& axes : dims) {
    std::vector<std::string> quoted;
    for (const std::string& axis : axes) {
      quoted.push_back(axis == kOpen ? axis : fmt::format("\"{}\"", axis));
    }
    texts.push_back(fmt::format("{{{}}}", fmt::join(quoted, ", ")));
  }
  return fmt::format("{}<@mesh, [{}]>", bare ? "" : "#sdy.sharding", fmt::join(texts, ", "));
}

Block BlockOf(const Mesh& mesh, const Sharding& sharding, const Shape& shape, int64_t device) {
  HR_CHECK(Divides(mesh, sharding, shape));
  Block block;
  for (int dim = 0; dim < shape.rank(); ++dim) {
    const auto& axes = sharding.dims.at(static_cast<size_t>(dim));
    int64_t index = 0;
    for (const std::string& axis : axes) index = index * mesh.AxisSize(axis) + Coordinate(mesh, axis, device);
    block.size.push_back(shape[dim] / PartsOf(mesh, axes));
    block.start.push_back(index * block.size.back());
  }
  return block;
}

bool Divides(const Mesh& mesh, const Sharding& sharding, const Shape& shape) {
  if (static_cast<int>(sharding.dims.size()) != shape.rank()) return false;
  for (int dim = 0; dim < shape.rank(); ++dim) {
    if (shape[dim] % PartsOf(mesh, sharding.dims[static_cast<size_t>(dim)]) != 0) return false;
  }
  return true;
}

}  // namespace headrace
