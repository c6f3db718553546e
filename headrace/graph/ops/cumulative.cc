#include "headrace/graph/ops/cumulative.h"

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/monoid.h"
#include "headrace/graph/ops/vjp.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

// How it is computed: rows of 8 elements by a window that slides over them, then the totals of the rows in
// the same way, which go on top of the rows behind. Of the ways that there are (one window of all elements,
// which XLA takes apart, log2(n) steps, a loop) this one is the fastest on CPUs, up to 10 times, and among
// the fastest on TPUs.
class Blocks {
 public:
  Blocks(Reduction reduction, bool reverse) : reduction_(reduction), reverse_(reverse) {}

  Value Of(Value x, int axis) const {
    const int64_t n = x.dim(axis);
    if (n <= 2 * kSize) return Windowed(x, axis);
    const int64_t rows = (n + kSize - 1) / kSize;
    Ints split = x.shape().dims();
    split[static_cast<size_t>(axis)] = rows;
    split.insert(split.begin() + axis + 1, kSize);
    const Value padded = Shifted(x, axis, 0, rows * kSize - n);
    const Value within = Windowed(Reshape(padded, split), axis + 1);
    const int64_t end = reverse_ ? 0 : kSize - 1;
    split.erase(split.begin() + axis + 1);
    const Value totals = Of(Reshape(Slice(within, axis + 1, end, end + 1), split), axis);
    const Value before = reverse_ ? Shifted(totals, axis, -1, 1) : Shifted(totals, axis, 1, -1);
    const Value all = Combine(reduction_, ExpandDims(before, axis + 1), within);
    return Slice(Reshape(all, padded.shape()), axis, 0, n);
  }

 private:
  static constexpr int64_t kSize = 8;

  // Of a dimension of few elements: one window as long as it.
  Value Windowed(Value x, int axis) const {
    const auto at = static_cast<size_t>(axis);
    Window window{.size = Ints(static_cast<size_t>(x.rank()), 1),
                  .padding = Padding(static_cast<size_t>(x.rank()))};
    window.size[at] = x.dim(axis);
    window.padding[at][reverse_ ? 1 : 0] = x.dim(axis) - 1;
    return ReduceWindow(x, reduction_, window);
  }

  // More elements, which change nothing, or fewer, at either end.
  Value Shifted(Value x, int axis, int64_t low, int64_t high) const {
    if (low == 0 && high == 0) return x;
    Padding padding(static_cast<size_t>(x.rank()));
    padding[static_cast<size_t>(axis)] = {low, high};
    return Pad(x, Constant(x.graph(), InitialValue(reduction_, x.dtype())), padding);
  }

  Reduction reduction_;
  bool reverse_;
};

struct CumulativeOp final : OpOf<CumulativeOp> {
  static constexpr std::string_view kName = "cumulative";
  Reduction reduction = Reduction::kAdd;
  int64_t dimension = 0;
  bool reverse = false;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("reduction", reduction, kReductionNames);
    v.Visit("dimension", dimension);
    v.Visit("reverse", reverse);
  }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    RequireReducible(reduction, x[0].dtype);
    Require(dimension >= 0 && dimension < x[0].shape.rank(), "dimension {} is not one of the operand's",
            dimension);
    return {x[0]};
  }
  void Emit(const Node& node, Emitter& e) const override {
    const Value x = node.operands[0];
    if (x.shape().ElementCount() == 0) return e.Alias(node, x);
    e.Expand(node, Trace("cumulative", Types{x.type()}, [this](std::span<const Value> v) {
               return Values{Blocks(reduction, reverse).Of(v[0], static_cast<int>(dimension))};
             }));
  }
  // Of a sum, the sums from the other end. Of others, the gradient of the scan that computes the same.
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    if (reduction == Reduction::kAdd) return {CumSum(dy[0], static_cast<int>(dimension), !reverse)};
    const auto scan = [this](std::span<const Value> x) {
      const auto combine = [this](std::span<const Value> a, std::span<const Value> b) {
        return Values{Combine(reduction, a[0], b[0])};
      };
      return AssociativeScan(combine, {x[0]}, static_cast<int>(dimension), reverse);
    };
    return Vjp("cumulative_gradient", scan, node.operands, dy);
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {Cumulative(x[0].value, reduction, static_cast<int>(dimension) + 1, reverse)};
  }
};

}  // namespace

std::vector<OpEntry> CumulativeOps() { return EntriesOf<CumulativeOp>(); }

Value Cumulative(Value x, Reduction reduction, int axis, bool reverse) {
  CumulativeOp op;
  op.reduction = reduction;
  op.dimension = axis < 0 ? axis + x.rank() : axis;
  op.reverse = reverse;
  return Apply(op, {x});
}

Value CumSum(Value x, int axis, bool reverse) { return Cumulative(x, Reduction::kAdd, axis, reverse); }
Value CumProd(Value x, int axis, bool reverse) { return Cumulative(x, Reduction::kMul, axis, reverse); }
Value CumMax(Value x, int axis, bool reverse) { return Cumulative(x, Reduction::kMax, axis, reverse); }
Value CumMin(Value x, int axis, bool reverse) { return Cumulative(x, Reduction::kMin, axis, reverse); }

Value CumLogSumExp(Value x, int axis, bool reverse) {
  const auto combine = [](std::span<const Value> a, std::span<const Value> b) {
    return Values{LogAddExp(a[0], b[0])};
  };
  return AssociativeScan(combine, {x}, axis, reverse)[0];
}

}  // namespace headrace
