#include "headrace/nn/softmax.h"

#include <limits>

#include "headrace/graph/ops.h"

namespace headrace::nn {
namespace {

Ints Last(Value x) { return {x.rank() - 1}; }

Value SumOfLast(Value x) { return KeepDims(Sum(x, Last(x)), x.shape(), Last(x)); }

// The maximum, or 0 where that is infinite: infinity less infinity is not a number.
Value ShiftOf(Value x) {
  const Value max = StopGradient(KeepDims(Max(x, Last(x)), x.shape(), Last(x)));
  return Select(IsFinite(max), max, ZerosLike(max));
}

}  // namespace

Value LogSumExp(Value x) {
  const Value shift = ShiftOf(x);
  const Value sum = Sum(Exp(x - shift), Last(x));
  return Log(sum) + Reshape(shift, sum.shape());
}

Value LogSoftmax(Value x) { return x - KeepDims(LogSumExp(x), x.shape(), Last(x)); }

// y · (dy - Σ y · dy) is a pass less, and a tensor less to keep, than what follows from the quotient.
Value Softmax(Value x) {
  const auto forward = [](std::span<const Value> v) {
    const Value exp = Exp(v[0] - KeepDims(Max(v[0], Last(v[0])), v[0].shape(), Last(v[0])));
    const Value y = exp / SumOfLast(exp);
    return WithResiduals{{y}, {y}};
  };
  const auto backward = [](std::span<const Value> y, std::span<const Value> dy) {
    return Values{y[0] * (dy[0] - SumOfLast(y[0] * dy[0]))};
  };
  return CustomGradient({x}, forward, backward).at(0);
}

// What is masked is finite, so that a row of nothing else has a difference to its maximum.
Value MaskedSoftmax(Value x, Value mask, bool never_empty) {
  const Value y = Softmax(Select(mask, x, FullLike(x, -LargestFinite(x.dtype()))));
  if (never_empty) return y;
  const Value any = KeepDims(Any(mask, Last(mask)), mask.shape(), Last(mask));
  return Select(any, y, ZerosLike(y));
}

}  // namespace headrace::nn
