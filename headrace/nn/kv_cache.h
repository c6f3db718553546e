// KvCache: the keys and values of a layer that later positions attend to, kept while text is generated.
//
//   cache.Put(k, v, position);                                                  // of T new positions
//   y = Attention(q, cache.keys, cache.values, {.causal = true, .offset = position});
#pragma once

#include <span>
#include <vector>

#include "headrace/graph/value.h"

namespace headrace::nn {

struct KvCache {
  Value keys, values;  // [B, S, key heads, size]: of positions 0 … S-1, those not reached yet arbitrary

  // Puts k and v [B, T, key heads, size] at positions `position` … position + T-1; position is i32 [].
  // REQUIRES: position + T <= S
  void Put(Value k, Value v, Value position);
};

// The caches of layers, of their keys and values in turn; and those of the caches.
std::vector<KvCache> KvCachesOf(std::span<const Value> keys_and_values);
Values KeysAndValuesOf(std::span<const KvCache> caches);

}  // namespace headrace::nn
