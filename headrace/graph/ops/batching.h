// What batching rules share: see Op::Batch.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// The operand with the batch as dimension 0, repeated if it has none.
Value BroadcastBatch(const BatchOperand& operand, int64_t size);

// All operands so: enough for every op that works on each element alone.
Values BroadcastBatch(std::span<const BatchOperand> operands, int64_t size);

// {0, dims + 1…}: dimension numbers of an op, seen from under a batch dimension.
Ints ShiftedByBatch(std::span<const int64_t> dims);
Ints WithBatchDim(std::span<const int64_t> dims);  // 0 first, then the shifted

}  // namespace headrace
