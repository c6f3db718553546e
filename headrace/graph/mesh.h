// Mesh and Sharding: the named axes along which devices are arranged, and how a value is laid over them.
//
//   Mesh mesh{{{"data", 4}, {"fsdp", 2}}};
//   Sharding batch{{{"data", "fsdp"}, {}}};      // dimension 0 over both axes, dimension 1 whole
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/tensor/shape.h"

namespace headrace {

struct MeshAxis {
  std::string name;
  int64_t size = 1;
  bool operator==(const MeshAxis&) const = default;
};

// Devices in row-major order of the axes.
struct Mesh {
  std::vector<MeshAxis> axes;

  int64_t DeviceCount() const;
  // Size of an axis; 1 for one that the mesh lacks.
  int64_t AxisSize(const std::string& name) const;
  bool operator==(const Mesh&) const = default;
};

// For each dimension of a value, the mesh axes that split it, outermost first; none means whole on every
// device.
struct Sharding {
  std::vector<std::vector<std::string>> dims;

  static Sharding Replicated(int rank) {
    return {std::vector<std::vector<std::string>>(static_cast<size_t>(rank))};
  }
  // The last axis of a dimension in a constraint may be this: the partitioner may split it further.
  static constexpr std::string_view kOpen = "?";

  bool IsReplicated() const;
  // The same without the axes that the mesh lacks: they have size 1 and split nothing.
  Sharding On(const Mesh& mesh) const;
  bool operator==(const Sharding&) const = default;

  // "#sdy.sharding<@mesh, [{"data"}, {}]>" without the "#sdy.sharding" prefix when `bare`.
  std::string ToSdy(bool bare = false) const;
};

// The block of `shape` that device `device` holds: its start and its size in each dimension.
struct Block {
  std::vector<int64_t> start;
  std::vector<int64_t> size;
};
// REQUIRES: every split dimension is divisible (see Divides), 0 <= device < mesh.DeviceCount()
Block BlockOf(const Mesh& mesh, const Sharding& sharding, const Shape& shape, int64_t device);
bool Divides(const Mesh& mesh, const Sharding& sharding, const Shape& shape);

}  // namespace headrace
