// Functions on batches: what Vmap and the batching rules of ops that hold functions are made of. Internal to
// `graph`.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "headrace/graph/function.h"

namespace headrace {

// The type of one example, and of `size` of them.
TensorType WithoutBatch(const TensorType& type);
TensorType WithBatch(const TensorType& type, int64_t size);

// Which operands have a batch, and what they are.
struct BatchMask {
  std::vector<bool> batched;
  Values values;
};
BatchMask MaskOf(std::span<const BatchOperand> operands);

// Repeats the nodes of `function` in `graph`, by the batching rule of each op where an operand is batched.
std::vector<BatchOperand> BatchInline(const Function& function, std::span<const BatchOperand> arguments,
                                      int64_t size, Graph& graph);

// Which results have a batch when the parameters that are `batched` have one.
std::vector<bool> BatchedResults(const Function& function, const std::vector<bool>& batched, int64_t size);

// The function on a batch. Results have a batch where `results` says so. REQUIRES: that is everywhere where
// BatchedResults says so
std::shared_ptr<const Function> BatchFunction(const Function& function, const std::vector<bool>& batched,
                                              int64_t size, const std::vector<bool>& results);

}  // namespace headrace
