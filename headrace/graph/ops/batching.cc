#include "headrace/graph/ops/batching.h"

#include "headrace/graph/ops.h"

namespace headrace {

Value BroadcastBatch(const BatchOperand& operand, int64_t size) {
  if (operand.batched) return operand.value;
  std::vector<int64_t> dims = operand.value.shape().dims();
  dims.insert(dims.begin(), size);
  return BroadcastTo(operand.value, Shape(dims));
}

Values BroadcastBatch(std::span<const BatchOperand> operands, int64_t size) {
  Values values;
  for (const BatchOperand& operand : operands) values.push_back(BroadcastBatch(operand, size));
  return values;
}

Ints ShiftedByBatch(std::span<const int64_t> dims) {
  Ints shifted;
  for (int64_t dim : dims) shifted.push_back(dim + 1);
  return shifted;
}

Ints WithBatchDim(std::span<const int64_t> dims) {
  Ints shifted = ShiftedByBatch(dims);
  shifted.insert(shifted.begin(), 0);
  return shifted;
}

}  // namespace headrace
