#include "headrace/graph/ops/layer_scan.h"

#include <algorithm>

#include "headrace/graph/held_functions.h"
#include "headrace/graph/ops.h"

namespace headrace {
namespace {

bool DoTheSame(const Function& a, const Function& b);

bool DoTheSame(const Node& a, const Node& b) {
  if (a.types != b.types || bool(a.op) != bool(b.op) || a.operands.size() != b.operands.size()) return false;
  for (size_t i = 0; i < a.operands.size(); ++i) {
    const Value x = a.operands[i], y = b.operands[i];
    if (x.node().id != y.node().id || x.result() != y.result()) return false;
  }
  if (!a.op) return true;
  const auto held_a = HeldFunctions(*a.op), held_b = HeldFunctions(*b.op);
  return a.op->ToString() == b.op->ToString() &&
         std::ranges::equal(held_a, held_b, [](const auto& f, const auto& g) { return DoTheSame(*f, *g); });
}

bool DoTheSame(const Function& a, const Function& b) {
  const auto same_node = [](const Node& x, const Node& y) { return DoTheSame(x, y); };
  const auto same_place = [](Value x, Value y) {
    return x.node().id == y.node().id && x.result() == y.result();
  };
  return std::ranges::equal(a.graph->nodes(), b.graph->nodes(), same_node) &&
         std::ranges::equal(a.results, b.results, same_place);
}

}  // namespace

ScanResult ScanLayers(int64_t count, const LayerFn& layer, Value x, const RunFn& run) {
  Require(count >= 1, "there are no layers to scan");
  std::vector<Closure> layers;
  for (int64_t i = 0; i < count; ++i) {
    layers.push_back(TraceClosure("layer", x.graph(), Types{x.type()},
                                  [&](std::span<const Value> v) { return layer(i, v[0]); }));
    Require(DoTheSame(*layers[0].function, *layers.back().function),
            "layer {} does not do the same as the first; run them one after the other", i);
  }

  const Function& body = *layers[0].function;
  const size_t captured = layers[0].captured.size();
  std::vector<bool> differs;
  Values stacks;
  for (size_t k = 0; k < captured; ++k) {
    Values values;
    for (const Closure& closure : layers) values.push_back(closure.captured[k]);
    differs.push_back(std::ranges::find_if(values, [&](Value v) { return v != values[0]; }) != values.end());
    if (differs[k]) stacks.push_back(Stack(values));
  }
  const auto round = [&](std::span<const Value> carry, std::span<const Value> slices) {
    Values operands = {carry[0]};
    for (size_t k = 0, next = 0; k < captured; ++k)
      operands.push_back(differs[k] ? slices[next++] : layers[0].captured[k]);
    const ValueFn inlined = [&](std::span<const Value> v) { return Inline(body, v, InnermostGraph(v)); };
    Values made = run ? run(inlined, std::move(operands)) : inlined(operands);
    return ScanResult{{made[0]}, {made.begin() + 1, made.end()}};
  };
  return Scan(round, {x}, std::move(stacks), {.length = count});
}

}  // namespace headrace
