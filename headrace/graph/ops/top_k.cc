#include "headrace/graph/ops/top_k.h"

#include <numeric>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/gather_dims.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

// Along the last dimension.
struct TopKOp final : OpOf<TopKOp> {
  static constexpr std::string_view kName = "top_k";
  int64_t k = 1;

  void Attributes(AttributeVisitor& v) override { v.Visit("k", k); }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    const int rank = x[0].shape.rank();
    Require(rank >= 1 && (IsFloat(x[0].dtype) || IsInteger(x[0].dtype)), "takes numbers [..., n]");
    Require(k >= 0 && k <= x[0].shape[rank - 1], "the {} largest of {}", k, x[0].shape[rank - 1]);
    std::vector<int64_t> dims = x[0].shape.dims();
    dims.back() = k;
    return {{x[0].dtype, Shape(dims)}, {DType::kI32, Shape(dims)}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("chlo.top_k", node, {{"k", fmt::format("{} : i64", k)}});
  }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value x = node.operands[0];
    if (x.shape().ElementCount() == 0) return {Value()};
    const GatherDims dims = AlongAxis(x.rank(), x.rank() - 1);
    return {Scatter(ZerosLike(x), node.result(1), dy[0], dims, ScatterMode::kSet, true)};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return ApplyMany(*this, {x[0].value});
  }
};

}  // namespace

std::vector<OpEntry> TopKOps() { return EntriesOf<TopKOp>(); }

TopKResult TopK(Value x, int64_t k, int axis) {
  // The axis changes places with the last one.
  Ints exchange(static_cast<size_t>(x.rank()));
  std::iota(exchange.begin(), exchange.end(), 0);
  if (x.rank() > 0)
    std::swap(exchange.at(static_cast<size_t>(axis < 0 ? axis + x.rank() : axis)), exchange.back());
  TopKOp op;
  op.k = k;
  const Values found = ApplyMany(op, {Transpose(x, exchange)});
  return {Transpose(found[0], exchange), Transpose(found[1], exchange)};
}

}  // namespace headrace
