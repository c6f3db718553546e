#include "headrace/nn/elementwise_losses.h"

#include "headrace/graph/ops.h"

namespace headrace::nn {
namespace {

Value F32(Value x) { return Convert(x, DType::kF32); }

}  // namespace

Value SigmoidCrossEntropy(Value logits, Value targets) {
  const Value x = F32(logits);
  const Value zero = ZerosLike(x);
  // log(1 + e^x) = max(x, 0) + log(1 + e^-|x|)
  return LogAddExp(x, zero) - x * F32(targets);
}

Value AbsoluteError(Value predictions, Value targets) { return Abs(F32(predictions) - F32(targets)); }

Value Huber(Value predictions, Value targets, double delta) {
  const Value error = Abs(F32(predictions) - F32(targets));
  const Value near = Minimum(error, delta);
  return near * near * 0.5 + (error - near) * delta;
}

Value Hinge(Value predictions, Value targets) { return Maximum(1.0 - F32(predictions) * F32(targets), 0); }

Value KlDivergence(Value log_predictions, Value targets) {
  const Value p = F32(targets);
  const Value positive = Greater(p, ZerosLike(p));
  const Value log_p = Log(Select(positive, p, OnesLike(p)));  // 0 log 0 is 0
  return Sum(p * (log_p - F32(log_predictions)), {p.rank() - 1});
}

}  // namespace headrace::nn
