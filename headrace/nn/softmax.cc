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

Value Softmax(Value x) {
  const Value exp = Exp(x - StopGradient(KeepDims(Max(x, Last(x)), x.shape(), Last(x))));
  return exp / SumOfLast(exp);
}

Value MaskedSoftmax(Value x, Value mask) {
  const Value kept = Select(mask, x, FullLike(x, -std::numeric_limits<double>::infinity()));
  const Value exp = Exp(kept - ShiftOf(kept));
  const Value sum = SumOfLast(exp);
  return exp / Select(Greater(sum, ZerosLike(sum)), sum, OnesLike(sum));
}

}  // namespace headrace::nn
