#include "headrace/nn/attention.h"

#include <cmath>

#include "headrace/graph/ops.h"
#include "headrace/nn/softmax.h"

namespace headrace::nn {
namespace {

// The sizes of one call. B sequences, T queries and S keys in each; G heads share one of the K key heads.
struct Sizes {
  int64_t batch, queries, keys, key_heads, group, size;
};

Sizes SizesOf(Value q, Value k, Value v) {
  Require(q.rank() == 4 && k.rank() == 4 && k.shape() == v.shape(),
          "attention: takes queries, keys and values [batch, length, heads, size], those of keys and values "
          "equal, not {}, {} and {}",
          q.type().ToString(), k.type().ToString(), v.type().ToString());
  Require(q.dim(0) == k.dim(0) && q.dim(3) == k.dim(3),
          "attention: queries {} and keys {} differ in batch or size", q.shape().ToString(),
          k.shape().ToString());
  Require(q.dim(2) % k.dim(2) == 0, "attention: {} heads of queries do not divide over {} of keys", q.dim(2),
          k.dim(2));
  return {q.dim(0), q.dim(1), k.dim(1), k.dim(2), q.dim(2) / k.dim(2), q.dim(3)};
}

// Of queries, [B or 1, T, 1], or keys, [1, 1, S].
Value Positions(Graph& graph, const Sizes& n, Value offset) {
  const Value counted = Iota(graph, {DType::kI32, {1, n.queries, 1}}, 1);
  if (!offset) return counted;
  return counted + Reshape(Convert(offset, DType::kI32), Ints{-1, 1, 1});
}

// What queries may see: pred [B or 1, T, S]; empty for everything.
Value MaskOf(Graph& graph, const Sizes& n, const AttentionOptions& options) {
  Value mask;
  auto require = [&](Value rule) { mask = mask ? And(mask, rule) : rule; };
  if (options.causal) {
    const Value query = Positions(graph, n, options.offset);
    const Value key = Iota(graph, {DType::kI32, {1, 1, n.keys}}, 2);
    require(LessEqual(key, query));
    if (options.window > 0) require(Greater(key, query - static_cast<double>(options.window)));
  }
  if (options.query_segments) {
    require(Equal(ExpandDims(options.query_segments, 2), ExpandDims(options.key_segments, 1)));
  }
  return mask;
}

// Whether every query sees a key whatever the values are: the first, or, in a window, its own.
bool SeesSomething(const Sizes& n, const AttentionOptions& options) {
  if (options.query_segments) return false;
  return options.window == 0 || (!options.offset && n.queries <= n.keys);
}

Value Decomposition(Value q, Value k, Value v, const AttentionOptions& options) {
  const Sizes n = SizesOf(q, k, v);
  const Value grouped = Reshape(q, Ints{n.batch, n.queries, n.key_heads, n.group, n.size});
  const Value products = DotGeneral(grouped, k, {{0, 2}, {0, 2}, {4}, {3}}, Precision::kDefault, DType::kF32);
  Value scores = products * options.scale;  // [B, K, T, G, S]
  if (options.soft_cap > 0) scores = options.soft_cap * Tanh(scores / options.soft_cap);

  const Value mask = MaskOf(q.graph(), n, options);
  Value weights = mask ? MaskedSoftmax(scores, Reshape(mask, Ints{-1, 1, n.queries, 1, n.keys}),
                                       SeesSomething(n, options))
                       : Softmax(scores);
  if (options.dropout > 0) {
    const Value keep = Bernoulli(options.dropout_key, 1 - options.dropout, weights.shape());
    weights = Select(keep, weights / (1 - options.dropout), ZerosLike(weights));
  }
  const Value y = DotGeneral(Convert(weights, v.dtype()), v, {{0, 1}, {0, 2}, {4}, {1}});  // [B, K, T, G, D]
  return Reshape(Transpose(y, {0, 2, 1, 3, 4}), q.shape());
}

// The options that are values, in the order in which they are operands.
template <class Options>
auto ValuesOf(Options& options) {
  return std::array{&options.offset, &options.query_segments, &options.key_segments, &options.dropout_key};
}

std::string AttributesOf(const AttentionOptions& options) {
  return fmt::format(
      "causal = {}, window = {} : i64, scale = {:e} : f64, soft_cap = {:e} : f64, dropout = {:e} : f64, "
      "offset = {}, segments = {}",
      options.causal, options.window, options.scale, options.soft_cap, options.dropout, bool(options.offset),
      bool(options.query_segments));
}

}  // namespace

Value Attention(Value q, Value k, Value v, const AttentionOptions& given) {
  Require(bool(given.query_segments) == bool(given.key_segments),
          "attention: segments of queries and of keys come together");
  Require(given.window >= 0 && (given.window == 0 || given.causal),
          "attention: a window needs causal attention");
  Require(given.dropout == 0 || given.dropout_key, "attention: dropout needs a random key");
  AttentionOptions options = given;
  if (options.scale == 0) options.scale = 1 / std::sqrt(static_cast<double>(SizesOf(q, k, v).size));
  if (options.dropout == 0) options.dropout_key = {};

  Values operands = {q, k, v};
  for (const Value* value : ValuesOf(options)) {
    if (*value) operands.push_back(*value);
  }
  const ValueFn body = [&options](std::span<const Value> x) {
    AttentionOptions inner = options;
    size_t next = 3;
    for (Value* value : ValuesOf(inner)) {
      if (*value) *value = x[next++];
    }
    return Values{Decomposition(x[0], x[1], x[2], inner)};
  };
  return Composite("attention", std::move(operands), body, AttributesOf(options)).at(0);
}

}  // namespace headrace::nn
