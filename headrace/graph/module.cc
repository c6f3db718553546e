#include "headrace/graph/module.h"

#include <fmt/format.h>

#include "headrace/graph/emitter.h"

namespace headrace {
namespace {

std::string MeshLine(const Mesh& mesh) {
  std::vector<std::string> axes;
  for (const MeshAxis& axis : mesh.axes) axes.push_back(fmt::format("\"{}\"={}", axis.name, axis.size));
  return fmt::format("  sdy.mesh {} = <[{}]>\n", Emitter::kMeshSymbol, fmt::join(axes, ", "));
}

std::vector<std::string> ShardingAttributes(const Mesh& mesh, const std::vector<Sharding>& shardings,
                                            size_t count) {
  std::vector<std::string> attributes(count);
  if (mesh.axes.empty()) return attributes;
  for (size_t i = 0; i < shardings.size(); ++i) {
    attributes.at(i) = fmt::format("sdy.sharding = {}", shardings[i].On(mesh).ToSdy());
  }
  return attributes;
}

void AddDonations(const Function& function, const std::vector<int>& donations,
                  std::vector<std::string>& attributes) {
  for (size_t i = 0; i < donations.size(); ++i) {
    if (donations[i] < 0) continue;
    const TensorType& from = function.parameters().at(i).type();
    const TensorType& to = function.results.at(static_cast<size_t>(donations[i])).type();
    Require(from == to, "donation: parameter {} is {}, result {} is {}", i, from.ToString(), donations[i],
            to.ToString());
    attributes[i] +=
        fmt::format("{}tf.aliasing_output = {} : i32", attributes[i].empty() ? "" : ", ", donations[i]);
  }
}

}  // namespace

std::string EmitModule(const Function& function, const ModuleOptions& options) {
  auto parameters =
      ShardingAttributes(options.mesh, options.parameter_shardings, function.parameters().size());
  auto results = ShardingAttributes(options.mesh, options.result_shardings, function.results.size());
  AddDonations(function, options.donations, parameters);
  Emitter emitter(options.mesh, options.default_precision);
  const std::string main = emitter.EmitFunction(function, "main", "public", parameters, results);
  return fmt::format("module @{} {{\n{}{}{}}}\n", function.name,
                     options.mesh.axes.empty() ? "" : MeshLine(options.mesh), main, emitter.EmitDeclared());
}

}  // namespace headrace
