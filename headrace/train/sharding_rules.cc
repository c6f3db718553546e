#include "headrace/train/sharding_rules.h"

#include <algorithm>
#include <set>

namespace headrace::train {
namespace {

const std::vector<std::string>& MeshAxesOf(const std::string& logical, const ShardingRules& rules) {
  static const std::vector<std::string> kNone;
  const auto rule = std::ranges::find(rules, logical, &ShardingRule::logical);
  return rule == rules.end() ? kNone : rule->mesh_axes;
}

}  // namespace

const ShardingRules& DefaultRules() {
  static const ShardingRules rules = {
      {"batch", {"data", "fsdp"}}, {"embed", {"fsdp"}},   {"mlp", {"tensor"}},
      {"heads", {"tensor"}},       {"vocab", {"tensor"}},
  };
  return rules;
}

Sharding ShardingOf(const Shape& shape, const std::vector<std::string>& axes, const Mesh& mesh,
                    const ShardingRules& rules) {
  Sharding sharding = Sharding::Replicated(shape.rank());
  std::set<std::string> taken;
  for (size_t dim = 0; dim < axes.size(); ++dim) {
    int64_t parts = 1;
    for (const std::string& axis : MeshAxesOf(axes[dim], rules)) {
      const int64_t size = mesh.AxisSize(axis);
      const bool present = std::ranges::find(mesh.axes, axis, &MeshAxis::name) != mesh.axes.end();
      if (!present || taken.contains(axis) || shape[static_cast<int>(dim)] % (parts * size) != 0) continue;
      sharding.dims[dim].push_back(axis);
      taken.insert(axis);
      parts *= size;
    }
  }
  return sharding;
}

Sharding BatchSharding(const Shape& shape, const Mesh& mesh, const ShardingRules& rules) {
  std::vector<std::string> axes(static_cast<size_t>(shape.rank()));
  if (!axes.empty()) axes[0] = "batch";
  return ShardingOf(shape, axes, mesh, rules);
}

int64_t BatchParts(const Mesh& mesh, const ShardingRules& rules) {
  int64_t parts = 1;
  for (const std::string& axis : MeshAxesOf("batch", rules)) parts *= mesh.AxisSize(axis);
  return parts;
}

}  // namespace headrace::train
