#include "headrace/graph/ops/reverse.h"

#include <algorithm>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops/batching.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

struct ReverseOp final : OpOf<ReverseOp> {
  static constexpr std::string_view kName = "reverse";
  Ints dims;  // rising

  void Attributes(AttributeVisitor& v) override { v.Visit("dims", dims); }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    const bool within = dims.empty() || (dims.front() >= 0 && dims.back() < x[0].shape.rank());
    Require(within && std::ranges::is_sorted(dims) && std::ranges::adjacent_find(dims) == dims.end(),
            "dims {} are not distinct dimensions of it", Bracketed(dims));
    return {x[0]};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.reverse", node, {{"dimensions", I64Array(dims)}});
  }
  Values Gradient(const Node&, std::span<const Value> dy) const override { return {Reverse(dy[0], dims)}; }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {Reverse(x[0].value, ShiftedByBatch(dims))};
  }
};

}  // namespace

std::vector<OpEntry> ReverseOps() { return EntriesOf<ReverseOp>(); }

Value Reverse(Value x, Ints dims) {
  if (dims.empty()) return x;
  ReverseOp op;
  op.dims = std::move(dims);
  for (int64_t& dim : op.dims) dim = dim < 0 ? dim + x.rank() : dim;
  std::ranges::sort(op.dims);
  return Apply(op, {x});
}

}  // namespace headrace
