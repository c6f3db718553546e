// Clipping of gradients, as optax.clip and optax.clip_by_global_norm, the latter also of each gradient alone.
#pragma once

#include <span>

#include "headrace/graph/value.h"

namespace headrace::optim {

// The sum of the squares of all elements; an f32 scalar. It is finite only where every element is.
Value SquaredNorm(Value gradient);

// The square root of the sum of all squares of all gradients; an f32 scalar.
Value GlobalNorm(std::span<const Value> gradients);
Value NormOf(std::span<const Value> squared_norms);

// Each element to [-limit, limit].
Values ClipByValue(std::span<const Value> gradients, double limit);

// Each scaled to the norm `limit` where its own is larger.
Values ClipByLeafNorm(std::span<const Value> gradients, double limit);

// All scaled together to the norm `limit`, where `norm`, theirs, is larger.
Values ClipByGlobalNorm(std::span<const Value> gradients, Value norm, double limit);

}  // namespace headrace::optim
