#include "headrace/nn/contrastive.h"

#include "headrace/graph/ops.h"
#include "headrace/nn/losses.h"
#include "headrace/nn/softmax.h"

namespace headrace::nn {
namespace {

Value Normalized(Value x) {
  const Value f32 = Convert(x, DType::kF32);
  return f32 * Rsqrt(ExpandDims(Sum(f32 * f32, {-1}), -1) + 1e-12);
}

// [N, D], [M, D] -> [N, M]
Value Similarity(Value a, Value b, double temperature) {
  return DotGeneral(Normalized(a), Normalized(b), {{}, {}, {1}, {1}}) / temperature;
}

}  // namespace

Value ContrastivePairs(Value a, Value b, double temperature) {
  Require(a.rank() == 2 && a.type() == b.type(),
          "contrastive_pairs: takes two of [N, features], not {} and {}", a.type().ToString(),
          b.type().ToString());
  const Value logits = Similarity(a, b, temperature);
  const Value own = Iota(a.graph(), {DType::kI32, {a.dim(0)}}, 0);
  return (CrossEntropy(logits, own) + CrossEntropy(Transpose(logits, {1, 0}), own)) * 0.5;
}

Value NtXent(Value embeddings, Value labels, double temperature) {
  Require(embeddings.rank() == 2 && labels.rank() == 1,
          "ntxent: takes embeddings [N, features] and labels [N], not {} and {}",
          embeddings.type().ToString(), labels.type().ToString());
  const Value logits = Similarity(embeddings, embeddings, temperature);  // [N, N]
  const int64_t n = labels.dim(0);
  const Shape square = {n, n};
  Graph& graph = labels.graph();
  const Value self = Equal(Iota(graph, {DType::kI32, square}, 0), Iota(graph, {DType::kI32, square}, 1));
  const Value alike = Equal(BroadcastInDim(labels, square, {0}), BroadcastInDim(labels, square, {1}));
  const Value partners = Convert(And(alike, Not(self)), DType::kF32);
  const Value others = Select(self, FullLike(logits, -1e30), logits);
  const Value log_share = Select(self, ZerosLike(logits), logits - ExpandDims(LogSumExp(others), 1));
  return Neg(Sum(log_share * partners, {1})) / Maximum(Sum(partners, {1}), 1);
}

}  // namespace headrace::nn
