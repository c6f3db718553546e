// MixtureOfExperts: many feed-forward parts of which each token is seen by a few (Jiang et al., "Mixtral of
// experts", 2024). Parameter names are those of Hugging Face's mixtral.
//
// In evaluation, and in training without a capacity, every expert runs on every token and those not chosen
// count 0: no token is lost, at the price of experts / top_k times the arithmetic. With a capacity each
// expert runs on that many tokens of a sequence; what finds it full is lost to it.
#pragma once

#include <optional>
#include <vector>

#include "headrace/core/config.h"
#include "headrace/nn/projection.h"
#include "headrace/nn/routing.h"

namespace headrace::models {

struct MixtureConfig {
  int64_t experts = 8;
  int64_t top_k = 2;
  std::optional<double> capacity_factor{};
  double aux_loss_coef = 0.001;

  void Fields(config::Visitor& v);
  Status Validate() const;
};

class MixtureOfExperts {
 public:
  // Names: gate, experts.0.w1 (of the gate inside), experts.0.w2 (back), experts.0.w3, …
  MixtureOfExperts(const MixtureConfig& config, nn::Scope scope, int64_t width, int64_t inner,
                   const nn::Initializer& init);

  // [B, T, D] -> the same. Adds to `routings` how it went.
  Value operator()(Value x, std::vector<nn::Routing>& routings) const;

 private:
  struct Expert {
    nn::Projection w1, w2, w3;
    Value operator()(Value x) const;  // [..., D] -> the same
  };

  Value OnAllTokens(Value x, Value weights) const;
  Value OnPlaces(Value x, Value places, Value weights) const;

  nn::Scope scope_;
  MixtureConfig config_;
  nn::Projection gate_;
  std::vector<Expert> experts_;
};

}  // namespace headrace::models
