#include "headrace/models/encoder_attention.h"

#include "headrace/graph/ops.h"

namespace headrace::models {
namespace {

nn::Projection Heads(nn::Scope scope, int64_t width, const nn::Initializer& init) {
  return {scope, {width, "embed"}, {width, "heads"}, init, true};
}

}  // namespace

EncoderAttention::EncoderAttention(nn::Scope scope, std::string_view name, int64_t width, int64_t heads,
                                   const nn::Initializer& init)
    : scope_(scope),
      heads_(heads),
      query_(Heads(scope / name / "query", width, init)),
      key_(Heads(scope / name / "key", width, init)),
      value_(Heads(scope / name / "value", width, init)),
      dense_(scope / "output" / "dense", {width, "heads"}, {width, "embed"}, init, true) {}

Value EncoderAttention::operator()(Value x, const nn::AttentionOptions& options) const {
  auto entered = scope_.Enter();
  const auto split = [&](Value y) { return Reshape(y, {x.dim(0), x.dim(1), heads_, -1}); };
  const Value q = split(query_(x)), k = split(key_(x)), v = split(value_(x));
  return dense_(Reshape(nn::Attention(q, k, v, options), x.shape()));
}

}  // namespace headrace::models
