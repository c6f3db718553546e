// SampleToken: the next token, drawn from a model's logits.
//
//   CounterRandom random(seed, data::RandomStream::kSample, position);
//   const int64_t token = SampleToken(logits, {.temperature = 0.8, .top_k = 40}, random.Uniform(0, 1));
#pragma once

#include <cstdint>
#include <span>

#include "headrace/core/status.h"

namespace headrace::run {

struct SamplingOptions {
  double temperature =
      0.8;            // logits are divided by it; 0: always the likeliest token, the first of equal ones
  int64_t top_k = 0;  // only from the k likeliest; 0: from all
  double top_p = 1;   // only from the likeliest whose probabilities first sum to p (Holtzman et al., 2020)

  Status Validate() const;
};

// A pure function of its arguments, computed in f64. top_k is applied first, then top_p to what it leaves.
// REQUIRES: valid options, at least one logit, and `uniform` in [0, 1)
int64_t SampleToken(std::span<const float> logits, const SamplingOptions& options, double uniform);

}  // namespace headrace::run
