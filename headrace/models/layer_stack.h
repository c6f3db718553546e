// RunLayers: the layers of one form that a transformer is made of.
//
//   x = RunLayers(scope, config.scan_layers, 12, [&](int64_t i, Value v) { return Values{layers[i](v)}; },
//   x).x;
#pragma once

#include <vector>

#include "headrace/graph/ops/layer_scan.h"
#include "headrace/nn/scope.h"

namespace headrace::models {

struct StackResult {
  Value x;
  std::vector<Values> more;  // by layer: what it gives beside x
};

// What `count` layers make of x, one after the other or `scanned` (ScanLayers); each as a block of
// Scope::Remat.
StackResult RunLayers(const nn::Scope& scope, bool scanned, int64_t count, const LayerFn& layer, Value x);

}  // namespace headrace::models
