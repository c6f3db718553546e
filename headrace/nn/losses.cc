#include "headrace/nn/losses.h"

#include "headrace/graph/ops.h"
#include "headrace/nn/softmax.h"

namespace headrace::nn {
namespace {

Ints Last(Value x) { return {x.rank() - 1}; }

// The number of the largest element of the last dimension, the first of equal ones: i32.
Value ArgMax(Value x) {
  const Value numbers = Iota(x.graph(), {DType::kI32, x.shape()}, -1);
  const Value beyond = FullLike(numbers, static_cast<double>(x.dim(-1)));
  return Min(Select(Equal(x, KeepDims(Max(x, Last(x)), x.shape(), Last(x))), numbers, beyond), Last(x));
}

}  // namespace

Value CrossEntropy(Value logits, Value labels, double smoothing) {
  const Value x = Convert(logits, DType::kF32);
  const int64_t classes = x.dim(-1);
  const Value of_label = Sum(x * OneHot(labels, classes), Last(x));
  const Value target = smoothing == 0 ? of_label : (1 - smoothing) * of_label + smoothing * Mean(x, Last(x));
  return LogSumExp(x) - target;
}

Value Correct(Value logits, Value labels) {
  return Convert(Equal(ArgMax(logits), Convert(labels, DType::kI32)), DType::kF32);
}

Value SquaredError(Value predictions, Value targets) {
  const Value error = Convert(predictions, DType::kF32) - Convert(targets, DType::kF32);
  Ints axes;
  for (int axis = 1; axis < error.rank(); ++axis) axes.push_back(axis);
  return Mean(error * error, axes);
}

}  // namespace headrace::nn
