#include "headrace/models/mixture_of_experts.h"

#include <algorithm>
#include <cmath>

#include "headrace/graph/ops.h"
#include "headrace/nn/activations.h"

namespace headrace::models {
namespace {

// How many of `length` tokens an expert takes.
int64_t Capacity(const MixtureConfig& config, int64_t length) {
  const double even = static_cast<double>(config.top_k * length) / static_cast<double>(config.experts);
  const auto wanted = static_cast<int64_t>(std::ceil(*config.capacity_factor * even));
  return std::clamp<int64_t>(wanted, 1, length);
}

}  // namespace

MixtureOfExperts::MixtureOfExperts(const MixtureConfig& config, nn::Scope scope, int64_t width, int64_t inner,
                                   const nn::Initializer& init)
    : scope_(scope), config_(config), gate_(scope / "gate", {width, "embed"}, config.experts, init) {
  for (int64_t number = 0; number < config.experts; ++number) {
    const nn::Scope expert = scope / "experts" / number;
    experts_.push_back({.w1 = {expert / "w1", {width, "embed"}, {inner, "mlp"}, init},
                        .w2 = {expert / "w2", {inner, "mlp"}, {width, "embed"}, init},
                        .w3 = {expert / "w3", {width, "embed"}, {inner, "mlp"}, init}});
  }
}

Value MixtureOfExperts::Expert::operator()(Value x) const { return w2(nn::SwiGlu(w1(x), w3(x))); }

Value MixtureOfExperts::operator()(Value x, std::vector<nn::Routing>& routings) const {
  const Value logits = gate_(x);  // [B, T, experts]
  auto entered = scope_.Enter();
  const nn::Routing routing = nn::RouteToTopK(logits, config_.top_k);
  routings.push_back(routing);
  const Value weights = Convert(routing.weights, x.dtype());
  if (!scope_.train() || !config_.capacity_factor) return OnAllTokens(x, weights);
  const Value places = nn::PlacesBeforeExperts(routing, Capacity(config_, x.dim(1)));
  return OnPlaces(x, Convert(places, x.dtype()), weights);
}

Value MixtureOfExperts::OnAllTokens(Value x, Value weights) const {
  Value y;
  for (int64_t number = 0; number < config_.experts; ++number) {
    const Value share =
        Slice(weights, 2, number, number + 1) * experts_[static_cast<size_t>(number)](x);  // [B, T, D]
    y = y ? y + share : share;
  }
  return y;
}

// places [B, T, experts, capacity], weights [B, T, experts]
Value MixtureOfExperts::OnPlaces(Value x, Value places, Value weights) const {
  const Value seen = Einsum("btec,btd->ebcd", {places, x});
  Values made;
  for (int64_t number = 0; number < config_.experts; ++number) {
    const Value mine = Slice(seen, 0, number, number + 1);  // [1, B, capacity, D]
    made.push_back(experts_[static_cast<size_t>(number)](mine));
  }
  return Einsum("btec,ebcd->btd", {places * ExpandDims(weights, -1), Concatenate(made, 0)});
}

void MixtureConfig::Fields(config::Visitor& v) {
  v.Field("experts", experts, "Feed-forward parts of a layer", config::AtLeast(1));
  v.Field("top_k", top_k, "How many of them see a token", config::AtLeast(1));
  v.Field("capacity_factor", capacity_factor,
          "In training an expert takes at most this times top_k / experts of the tokens of a sequence, and "
          "costs no more; by default all, at the cost of all",
          config::Positive());
  v.Field("aux_loss_coef", aux_loss_coef, "Weight of the loss by which tokens go evenly to the experts",
          config::AtLeast(0));
}

Status MixtureConfig::Validate() const {
  if (top_k <= experts) return Ok();
  return InvalidArgument("top_k: {} of {} experts cannot be chosen", top_k, experts);
}

}  // namespace headrace::models
