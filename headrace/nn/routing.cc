#include "headrace/nn/routing.h"

#include "headrace/graph/ops.h"
#include "headrace/nn/softmax.h"

namespace headrace::nn {

Routing RouteToTopK(Value logits, int64_t k) {
  Require(k >= 1 && k <= logits.dim(-1), "routing: {} of {} experts cannot be chosen", k, logits.dim(-1));
  const Value probabilities = Softmax(Convert(logits, DType::kF32));
  const Value chosen = OneHot(TopK(probabilities, k).positions, logits.dim(-1));  // [B, T, k, experts]
  const Value kept = probabilities * Sum(chosen, {-2});
  return {probabilities, chosen, kept / ExpandDims(Sum(kept, {-1}), -1)};
}

Value LoadImbalance(std::span<const Routing> layers) {
  HR_CHECK(!layers.empty());
  Value choices, probabilities;
  for (const Routing& layer : layers) {
    const Value share = Mean(layer.chosen, {0, 1});          // [k, experts]
    const Value likely = Mean(layer.probabilities, {0, 1});  // [experts]
    choices = choices ? choices + share : share;
    probabilities = probabilities ? probabilities + likely : likely;
  }
  const auto count = static_cast<double>(layers.size());
  const auto experts = static_cast<double>(probabilities.dim(0));
  return Sum(choices * probabilities) * (experts / (count * count));
}

Value PlacesBeforeExperts(const Routing& routing, int64_t capacity) {
  const Value chosen = Transpose(routing.chosen, {0, 2, 1, 3});  // [B, k, T, experts]
  const int64_t batch = chosen.dim(0), k = chosen.dim(1), length = chosen.dim(2), experts = chosen.dim(3);
  const Value queue = Convert(Reshape(chosen, {batch, k * length, experts}), DType::kI32);
  const Value number = CumSum(queue, 1) * queue;  // from 1 on; 0 where it is not chosen
  // A token chooses an expert once at most, so sums over its choices have one term.
  const Value place = Sum(Reshape(number, chosen.shape()), {1}) - 1.0;  // [B, T, experts]
  return OneHot(place, capacity);
}

}  // namespace headrace::nn
