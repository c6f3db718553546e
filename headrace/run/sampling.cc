#include "headrace/run/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "headrace/core/check.h"

namespace headrace::run {
namespace {

// Tokens by falling logit; of equal ones the first comes first.
std::vector<size_t> Ranked(std::span<const float> logits) {
  std::vector<size_t> tokens(logits.size());
  std::iota(tokens.begin(), tokens.end(), size_t{0});
  std::ranges::stable_sort(tokens, [&](size_t a, size_t b) { return logits[a] > logits[b]; });
  return tokens;
}

}  // namespace

Status SamplingOptions::Validate() const {
  if (!(temperature >= 0) || std::isinf(temperature))
    return InvalidArgument("temperature: must be a number of at least 0, got {}", temperature);
  if (top_k < 0) return InvalidArgument("top_k: must be at least 0, got {}", top_k);
  if (!(top_p > 0 && top_p <= 1))
    return InvalidArgument("top_p: must be above 0 and at most 1, got {}", top_p);
  return Ok();
}

int64_t SampleToken(std::span<const float> logits, const SamplingOptions& options, double uniform) {
  HR_CHECK(!logits.empty());
  std::vector<size_t> tokens = Ranked(logits);
  if (options.temperature == 0) return static_cast<int64_t>(tokens[0]);
  if (options.top_k > 0) tokens.resize(std::min(tokens.size(), static_cast<size_t>(options.top_k)));

  // Weights of the ranked tokens, the likeliest 1, and their running sum.
  std::vector<double> sums;
  double sum = 0;
  for (size_t token : tokens) {
    sum += std::exp((static_cast<double>(logits[token]) - logits[tokens[0]]) / options.temperature);
    sums.push_back(sum);
  }
  const auto last = std::ranges::lower_bound(sums, options.top_p * sum);  // top_p is at most 1: there is one
  const auto chosen = std::upper_bound(sums.begin(), last, uniform * *last);
  return static_cast<int64_t>(tokens[static_cast<size_t>(chosen - sums.begin())]);
}

}  // namespace headrace::run
