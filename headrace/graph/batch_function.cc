#include "headrace/graph/batch_function.h"

#include "headrace/graph/ops/batching.h"
#include "headrace/graph/substitution.h"

namespace headrace {
namespace {

// A function whose parameters have a batch where `batched` says so, and what `function` makes of them.
Function TraceBatch(const Function& function, const std::vector<bool>& batched, int64_t size,
                    const std::function<Values(const std::vector<BatchOperand>&)>& use) {
  HR_CHECK(batched.size() == function.parameters().size());
  Types types;
  for (size_t i = 0; i < batched.size(); ++i) {
    const TensorType& type = function.parameters()[i].type();
    types.push_back(batched[i] ? WithBatch(type, size) : type);
  }
  Function made{.name = function.name + "_batch", .graph = std::make_unique<Graph>(), .results = {}};
  std::vector<BatchOperand> arguments;
  for (size_t i = 0; i < batched.size(); ++i) {
    arguments.push_back({made.graph->Parameter(types[i], function.parameters()[i].node().scope), batched[i]});
  }
  made.results = use(BatchInline(function, arguments, size, *made.graph));
  return made;
}

}  // namespace

TensorType WithoutBatch(const TensorType& type) {
  return {type.dtype, Shape(std::vector<int64_t>(type.shape.begin() + 1, type.shape.end()))};
}

TensorType WithBatch(const TensorType& type, int64_t size) {
  std::vector<int64_t> dims = {size};
  dims.insert(dims.end(), type.shape.begin(), type.shape.end());
  return {type.dtype, Shape(dims)};
}

BatchMask MaskOf(std::span<const BatchOperand> operands) {
  BatchMask mask;
  for (const BatchOperand& operand : operands) {
    mask.batched.push_back(operand.batched);
    mask.values.push_back(operand.value);
  }
  return mask;
}

std::vector<BatchOperand> BatchInline(const Function& function, std::span<const BatchOperand> arguments,
                                      int64_t size, Graph& graph) {
  HR_CHECK(arguments.size() == function.parameters().size());
  Substitution<BatchOperand> substitution;
  for (size_t i = 0; i < arguments.size(); ++i) substitution.Set(function.parameters()[i], arguments[i]);
  for (const Node* node : LiveNodes(function.results)) {
    std::vector<BatchOperand> operands;
    Values plain;
    bool batched = false;
    for (Value operand : node->operands) {
      operands.push_back(substitution.Get(operand));
      plain.push_back(operands.back().value);
      batched |= operands.back().batched;
    }
    auto entered = graph.Enter(JoinScope(graph.scope(), node->scope));
    const Values results =
        batched ? node->op->Batch(operands, size) : graph.Apply(node->op, std::move(plain));
    HR_CHECK(results.size() == node->types.size());
    for (size_t i = 0; i < results.size(); ++i) {
      HR_CHECK(!batched || WithoutBatch(results[i].type()) == node->types[i]);
      substitution.Set(node->result(static_cast<int>(i)), {results[i], batched});
    }
  }
  std::vector<BatchOperand> results;
  for (Value result : function.results) results.push_back(substitution.Get(result));
  return results;
}

std::vector<bool> BatchedResults(const Function& function, const std::vector<bool>& batched, int64_t size) {
  std::vector<bool> has_batch;
  TraceBatch(function, batched, size, [&](const std::vector<BatchOperand>& results) {
    for (const BatchOperand& result : results) has_batch.push_back(result.batched);
    return Values();
  });
  return has_batch;
}

std::shared_ptr<const Function> BatchFunction(const Function& function, const std::vector<bool>& batched,
                                              int64_t size, const std::vector<bool>& results) {
  return std::make_shared<const Function>(
      TraceBatch(function, batched, size, [&](const std::vector<BatchOperand>& made) {
        HR_CHECK(made.size() == results.size());
        Values values;
        for (size_t i = 0; i < made.size(); ++i) {
          HR_CHECK(results[i] || !made[i].batched);
          values.push_back(results[i] ? BroadcastBatch(made[i], size) : made[i].value);
        }
        return values;
      }));
}

}  // namespace headrace
