// Routing: which experts see a token, and how much each of them counts (Shazeer et al., "Outrageously large
// neural networks", 2017; Fedus et al., "Switch transformers", 2021; Jiang et al., "Mixtral of experts",
// 2024).
//
//   const Routing routing = RouteToTopK(logits, 2);                                // [B, T, experts]
//   y = Σ over experts e of routing.weights[..., e] · expert_e(x);
#pragma once

#include <span>

#include "headrace/graph/value.h"

namespace headrace::nn {

struct Routing {
  Value probabilities;  // f32 [B, T, experts]
  Value chosen;         // f32 [B, T, k, experts]: 1 at a token's first choice, its second, …
  Value weights;        // f32 [B, T, experts]: 0 but for the chosen ones, which together have 1
};

// Each token to the k experts of the largest logits [B, T, experts]. Throws GraphError unless there are k.
Routing RouteToTopK(Value logits, int64_t k);

// How unevenly the tokens of all `layers` go to the experts: f32 [], about k where they go evenly. As
// load_balancing_loss_func of Hugging Face's mixtral. REQUIRES: as many tokens and experts in each layer
Value LoadImbalance(std::span<const Routing> layers);

// Where tokens stand before experts that take `capacity` tokens of each sequence: f32 [B, T, experts,
// capacity], 1 at the place of a token before an expert that it chose. First choices come before second ones,
// then earlier tokens before later ones; a token that finds an expert full is not seen by it.
Value PlacesBeforeExperts(const Routing& routing, int64_t capacity);

}  // namespace headrace::nn
