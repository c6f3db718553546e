// KvCache: the keys and values of a layer that later positions attend to, kept while text is generated.
//
//   cache.Put(k, v, position);                                                  // of T new positions
//   y = Attention(q, cache.keys, cache.values, {.causal = true, .offset = position});
#pragma once

#include "headrace/graph/value.h"

namespace headrace::nn {

struct KvCache {
  Value keys, values;  // [B, S, key heads, size]: of positions 0 … S-1, those not reached yet arbitrary

  // Puts k and v [B, T, key heads, size] at positions `position` … position + T-1; position is i32 [].
  // REQUIRES: position + T <= S
  void Put(Value k, Value v, Value position);
};

}  // namespace headrace::nn
