#include "headrace/train/loss_scale.h"

#include "headrace/graph/ops.h"

namespace headrace::train {

LossScale NextLossScale(const LossScaleOptions& options, const LossScale& now, Value all_finite) {
  constexpr double kLargest = 1 << 24;
  const Value zero = ZerosLike(now.good_steps);
  const Value good_steps = now.good_steps + 1.0;
  const Value grows =
      GreaterEqual(good_steps, FullLike(good_steps, static_cast<double>(options.growth_interval)));
  const Value grown = Select(grows, Minimum(now.scale * 2.0, kLargest), now.scale);
  const Value halved = Maximum(now.scale * 0.5, 1.0);
  return {Select(all_finite, grown, halved), Select(And(all_finite, Not(grows)), good_steps, zero)};
}

}  // namespace headrace::train
