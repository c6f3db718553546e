#include "headrace/optim/average.h"

#include "headrace/graph/ops.h"

namespace headrace::optim {
namespace {

Value Next(const NoAverageConfig&, Value, Value weights, Value) { return weights; }

// Written as a step towards the weights: where they stay, the average that has reached them stays to the bit.
Value Next(const EmaConfig& config, Value average, Value weights, Value step) {
  Value share = Scalar(step.graph(), DType::kF32, 1 - config.decay);
  if (config.warmup) {
    const Value n = Convert(step, DType::kF32) + 1.0;
    share = Maximum(share, 1.0 - (1.0 + n) / (10.0 + n));
  }
  return average + Convert(share, average.dtype()) * (weights - average);
}

Value Next(const SwaConfig& config, Value average, Value weights, Value step) {
  const Value past =
      step + static_cast<double>(1 - config.start);  // steps since the start, this one included
  const Value every = FullLike(past, static_cast<double>(config.every));
  const Value zero = ZerosLike(past);
  const Value terms = Convert(past / every, average.dtype()) + 1.0;
  const Value mean = average + (weights - average) / terms;
  return Select(Less(past, zero), weights, Select(Equal(Rem(past, every), zero), mean, average));
}

}  // namespace

void EmaConfig::Fields(config::Visitor& v) {
  v.Field("decay", decay, "Share of the average that a step keeps", config::Between(0, 1));
  v.Field("warmup", warmup, "Keep less in the first steps n: at most (1 + n) / (10 + n)");
}

void SwaConfig::Fields(config::Visitor& v) {
  v.Field("start", start, "The step whose weights are the first in the mean; often three quarters of the run",
          config::AtLeast(1));
  v.Field("every", every, "Steps from one term of the mean to the next", config::AtLeast(1));
}

Value NextAverage(const AverageConfig& config, Value average, Value weights, Value step) {
  return std::visit([&](const auto& kind) { return Next(kind, average, weights, step); }, config);
}

}  // namespace headrace::optim
