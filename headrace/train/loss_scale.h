// LossScale: keeps the gradients of f16 within what f16 can hold (Micikevicius et al., 2018).
//
// The loss is multiplied by a scale before the way back, the gradients are divided by it after. When one of
// them is not finite, the update is withheld and the scale halved; after `growth_interval` good steps in a
// row it is doubled. A power of two throughout, so that scaling rounds nothing.
//
//   LossScale next = NextLossScale(options, scale, all_finite);
#pragma once

#include <cstdint>

#include "headrace/graph/value.h"

namespace headrace::train {

struct LossScaleOptions {
  double initial = 32768;
  int64_t growth_interval = 2000;  // good steps in a row
};

struct LossScale {
  Value scale;       // f32 scalar, of 1 to 2^24
  Value good_steps;  // i32 scalar, since the scale changed last
};

// `all_finite`: pred scalar, whether the step's gradients were.
LossScale NextLossScale(const LossScaleOptions& options, const LossScale& now, Value all_finite);

}  // namespace headrace::train
