#include "headrace/graph/ops/barrier.h"

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

struct OptimizationBarrierOp final : OpOf<OptimizationBarrierOp> {
  static constexpr std::string_view kName = "optimization_barrier";
  int Arity() const override { return -1; }
  Types Infer(TypeSpan x) const override {
    Require(!x.empty(), "needs at least one operand");
    return Types(x.begin(), x.end());
  }
  void Emit(const Node& node, Emitter& e) const override { e.Op("stablehlo.optimization_barrier", node); }
  // A barrier for the cotangents that there are.
  Values Gradient(const Node&, std::span<const Value> dy) const override {
    Values given;
    for (Value cotangent : dy) {
      if (cotangent) given.push_back(cotangent);
    }
    const Values held = OptimizationBarrier(std::move(given));
    Values cotangents;
    size_t next = 0;
    for (Value cotangent : dy) cotangents.push_back(cotangent ? held[next++] : Value());
    return cotangents;
  }
  // Operands without a batch stay as they are, so the results of those get one afterwards.
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    Values operands;
    for (const BatchOperand& operand : x) operands.push_back(operand.value);
    Values held = OptimizationBarrier(std::move(operands));
    for (size_t i = 0; i < held.size(); ++i)
      held[i] = BroadcastBatch(BatchOperand{held[i], x[i].batched}, size);
    return held;
  }
};

}  // namespace

std::vector<OpEntry> BarrierOps() { return EntriesOf<OptimizationBarrierOp>(); }

Values OptimizationBarrier(Values values) {
  if (values.empty()) return {};
  return ApplyMany(OptimizationBarrierOp(), std::move(values));
}

}  // namespace headrace
