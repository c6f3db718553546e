#include "headrace/models/layer_stack.h"

#include "headrace/graph/ops.h"

namespace headrace::models {

StackResult RunLayers(const nn::Scope& scope, bool scanned, int64_t count, const LayerFn& layer, Value x) {
  StackResult result{.x = x, .more = std::vector<Values>(static_cast<size_t>(count))};
  const auto block = [&](const ValueFn& body, Values operands) {
    return scope.Remat(body, std::move(operands));
  };
  if (scanned) {
    const ScanResult scan = ScanLayers(count, layer, x, block);
    result.x = scan.carry[0];
    for (Value y : scan.ys) {  // [layers, ...]
      const Shape shape({y.shape().begin() + 1, y.shape().end()});
      for (int64_t i = 0; i < count; ++i)
        result.more[static_cast<size_t>(i)].push_back(Reshape(Slice(y, 0, i, i + 1), shape));
    }
    return result;
  }
  for (int64_t i = 0; i < count; ++i) {
    Values made = block([&](std::span<const Value> v) { return layer(i, v[0]); }, {result.x});
    result.x = made[0];
    result.more[static_cast<size_t>(i)].assign(made.begin() + 1, made.end());
  }
  return result;
}

}  // namespace headrace::models
