// EmitModule: a Function as a StableHLO module that a PJRT plugin compiles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headrace/graph/function.h"
#include "headrace/graph/mesh.h"
#include "headrace/graph/ops/dot.h"

namespace headrace {

struct ModuleOptions {
  Mesh mesh;                                  // no axes: one device, no annotations
  std::vector<Sharding> parameter_shardings;  // by parameter; empty: left to the partitioner
  std::vector<Sharding> result_shardings;     // by result
  // By parameter: the result that takes over its memory, or -1. The types of both must be equal.
  std::vector<int> donations;
  Precision default_precision = Precision::kDefault;  // of products and convolutions that ask for none
};

// The module's text, its main function "@main". Throws GraphError when a donation does not fit.
std::string EmitModule(const Function& function, const ModuleOptions& options = {});

}  // namespace headrace
