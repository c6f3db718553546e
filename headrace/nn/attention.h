// Attention: each query's mean of values, weighted by how well its key fits (Vaswani et al., 2017).
//
// A composite: `jit` runs the decomposition, which holds all scores, unless a kernel of the platform replaces
// it.
//
//   Value y = Attention(q, k, v, {.causal = true});                                // self-attention
//   Value y = Attention(q, k, v, {.causal = true, .window = 4096});                // over the last 4096 keys
//   Value y = Attention(q, cache.keys, cache.values, {.causal = true, .offset = position});   // decoding
#pragma once

#include "headrace/graph/value.h"

namespace headrace::nn {

// What a query may see are the keys that every rule here allows. A query that sees none gives zeros.
struct AttentionOptions {
  bool causal = false;   // no key behind the query's own position
  int64_t window = 0;    // with `causal`: this many keys at most, the query's own position the last; 0: all
  double scale = 0;      // of the scores; 0: 1 / sqrt(size)
  double soft_cap = 0;   // scores go through cap · tanh(score / cap), as in Gemma 2; 0: no cap
  Value offset;          // the position of the first query, integer [] or [B]; without it, 0
  Value query_segments;  // integer [B, T], and
  Value key_segments;    // [B, S]: both or none. A query sees keys of its own segment only
  double dropout = 0;    // share of the weights that is dropped, which takes
  Value dropout_key;     // a random key, u32[2]
};

// q [B, T, heads, size], k and v [B, S, key heads, size] -> [B, T, heads, size]. Heads in a row share one key
// head where those are fewer (Ainslie et al., "GQA", 2023); their number is a multiple of it. Scores and
// softmax are f32 whatever the compute type.
Value Attention(Value q, Value k, Value v, const AttentionOptions& options);

}  // namespace headrace::nn
