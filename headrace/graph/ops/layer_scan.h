// ScanLayers: layers of one form, one after the other, as a loop.
#pragma once

#include <functional>

#include "headrace/graph/ops/scan.h"

namespace headrace {

// Layer `index`: x -> a value of the same type, and what else the layer gives.
using LayerFn = std::function<Values(int64_t index, Value x)>;
// Runs a body on its operands, in whichever way.
using RunFn = std::function<Values(const ValueFn& body, Values operands)>;

// What `count` layers make of x, each of what the one before it made. They may use values of the graph around
// them. Where layers use different ones (their parameters), those are put behind each other, [count, ...],
// and the loop takes a slice in each round: the program does not grow with the number of layers, at the price
// of that copy. What else layers give comes as the ys, [count, ...]. `run` is how the body runs, with Remat
// say. Throws GraphError unless all layers do the same with values of the same types.
//
//   Value y = ScanLayers(12, [&](int64_t i, Value v) { return Values{Tanh(Dot(v, w[i]))}; }, x).carry[0];
ScanResult ScanLayers(int64_t count, const LayerFn& layer, Value x, const RunFn& run = {});

}  // namespace headrace
