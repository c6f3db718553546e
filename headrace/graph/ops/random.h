// Random numbers, each a pure function of a key: the same key gives the same bits on every device, under any
// sharding, and the bits that JAX gives (jax.random of 0.11 with its default, partitionable threefry).
//
// A key is a Value u32[2]. It is used once: to draw a second time, split it or fold a number into it.
//
//   Value key = Key(graph, 7);
//   Value noise = Normal(FoldIn(key, step), {DType::kF32, {8, 16}});
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// ---- keys ----

// jax.random.key(seed).
Value Key(Graph& graph, uint64_t seed);
// The same of a seed that is an integer scalar of the trace.
Value KeyFromSeed(Value seed);

// A key of its own for every number (a u32 scalar; other integers keep their low 32 bits).
Value FoldIn(Value key, Value number);

// `count` independent keys; the key that is split is used up.
Values SplitKey(Value key, int count = 2);
// The same as one value, [shape..., 2].
Value SplitKey(Value key, const Shape& shape);

// ---- draws ----

// Uniform bits of an unsigned type. Throws GraphError for other types.
Value RandomBits(Value key, const TensorType& type);

// Uniform over [low, high), floating-point.
Value Uniform(Value key, const TensorType& type, double low = 0, double high = 1);
// The same between values of `type`'s element type that broadcast to it.
Value Uniform(Value key, const TensorType& type, Value low, Value high);

// Mean 0, standard deviation 1.
Value Normal(Value key, const TensorType& type);
// The same, kept strictly between `lower` and `upper`.
Value TruncatedNormal(Value key, double lower, double upper, const TensorType& type);

// pred: true with probability p (a number, or f32 that broadcasts to `shape`).
Value Bernoulli(Value key, double p, const Shape& shape);
Value Bernoulli(Value key, Value p, const Shape& shape);

// Integers of [low, high). Biased towards no number by more than 2^-32 of its share where the range is small;
// see jax.random.randint, which it equals. Throws GraphError for an empty range or one beyond the type.
Value RandInt(Value key, const TensorType& type, int64_t low, int64_t high);

}  // namespace headrace
