#include "headrace/graph/ops/reduce_window.h"

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/monoid.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

Value ZeroOf(Value x) { return Scalar(x.graph(), x.dtype(), 0); }

Ints HolesOf(const Ints& dilation) {
  Ints holes;
  for (int64_t distance : dilation) holes.push_back(distance - 1);
  return holes;
}

// The cotangent of a sum's operand: the sum, over the transposed window, of what the results got.
Value GradientOfSum(Value dy, const Shape& base, const Window& window) {
  Padding padding;
  for (int axis = 0; axis < base.rank(); ++axis) {
    const WindowDim transposed = DimOf(window, axis).Transposed(base[axis]);
    padding.push_back({transposed.low, transposed.high});
  }
  const Value padded = Pad(dy, ZeroOf(dy), padding, HolesOf(window.strides));
  return ReduceWindow(
      padded, Reduction::kAdd,
      {.size = window.size, .strides = window.base_dilation, .window_dilation = window.window_dilation});
}

// The gradient of maximum and minimum, for a window of n elements: n strided slices of x find the place of
// each extreme in its window, n pads put its cotangent back there. XLA fuses them, so that on CPUs this is
// tens of times faster than its select_and_scatter; and since all that touches the cotangent is linear, it is
// differentiable again.
class WindowExtremes {
 public:
  WindowExtremes(Value x, Value y, const Window& window, Value fill)
      : x_(x), y_(y), window_(window), fill_(fill), count_(ElementCount(window)) {}

  Value Gradient(Value dy) const {
    // Behind a barrier, or each of the n pads would find the places anew.
    const Value place = OptimizationBarrier({FirstPlace()})[0];
    Value sum;
    for (int64_t k = 0; k < count_; ++k) {
      const Value hit = Equal(place, FullLike(place, static_cast<double>(k)));
      const Value spread = PutBack(Select(hit, dy, ZerosLike(dy)), WindowOffset(window_, k));
      sum = sum ? sum + spread : spread;
    }
    return WithoutHoles(sum);
  }

 private:
  // i32, shaped as the results: which element of the window, counted in row-major order, is its extreme.
  Value FirstPlace() const {
    const Value base = PaddedBase(x_, fill_, window_);
    Value place = Full(x_.graph(), {DType::kI32, y_.shape()}, static_cast<double>(count_));
    for (int64_t k = count_; k-- > 0;) {
      const Value hit = Equal(SeenBy(base, WindowOffset(window_, k), window_, y_.shape()), y_);
      place = Select(hit, FullLike(place, static_cast<double>(k)), place);
    }
    return place;
  }

  // The reverse of SeenBy, zeros in what the element does not see; without the padding of the base.
  Value PutBack(Value seen, const Ints& offset) const {
    Padding padding;
    for (size_t i = 0; i < offset.size(); ++i) {
      const int axis = static_cast<int>(i);
      const int64_t low = offset[i] - window_.padding[i][0];
      padding.push_back({low, Dilated(x_.dim(axis), window_.base_dilation[i]) - low -
                                  Dilated(y_.dim(axis), window_.strides[i])});
    }
    return Pad(seen, ZeroOf(seen), padding, HolesOf(window_.strides));
  }

  Value WithoutHoles(Value base) const {
    if (base.shape() == x_.shape()) return base;
    return Slice(base, Ints(window_.size.size(), 0), base.shape().dims(), window_.base_dilation);
  }

  Value x_, y_;
  const Window& window_;
  Value fill_;
  int64_t count_;
};

// The window along one axis, nothing along the others.
Window Only(const Window& window, int axis) {
  const auto at = static_cast<size_t>(axis);
  Window only = Completed({.size = Ints(window.size.size(), 1)});
  only.size[at] = window.size[at];
  only.strides[at] = window.strides[at];
  only.padding[at] = window.padding[at];
  only.base_dilation[at] = window.base_dilation[at];
  only.window_dilation[at] = window.window_dilation[at];
  return only;
}

// Windows of few elements are fastest at once. A larger one of several dimensions goes along one after the
// other, from the last to the first, which takes the sum of its sizes instead of their product; that of equal
// elements the first in row-major order counts stays so.
Value GradientOfExtremes(Value x, Value y, Value dy, Reduction reduction, const Window& window) {
  constexpr int64_t kAtOnce = 4;
  std::vector<Window> windows;
  if (ElementCount(window) <= kAtOnce) {
    windows = {window};
  } else {
    for (int axis = x.rank() - 1; axis >= 0; --axis) {
      if (DimOf(window, axis) != WindowDim{}) windows.push_back(Only(window, axis));
    }
  }
  Values stages = {x};
  for (size_t i = 0; i + 1 < windows.size(); ++i)
    stages.push_back(ReduceWindow(stages.back(), reduction, windows[i]));
  stages.push_back(y);
  const Value fill = Constant(x.graph(), InitialValue(reduction, x.dtype()));
  for (size_t i = windows.size(); i-- > 0;)
    dy = WindowExtremes(stages[i], stages[i + 1], windows[i], fill).Gradient(dy);
  return dy;
}

struct ReduceWindowOp final : OpOf<ReduceWindowOp> {
  static constexpr std::string_view kName = "reduce_window";
  Reduction reduction = Reduction::kAdd;
  Window window;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("reduction", reduction, kReductionNames);
    v.Visit("window", window.size);
    v.Visit("strides", window.strides);
    v.Visit("padding", window.padding);
    v.Visit("base_dilation", window.base_dilation);
    v.Visit("window_dilation", window.window_dilation);
  }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    RequireReducible(reduction, x[0].dtype);
    const Window complete = Completed(window);
    RequireWindow(complete, x[0].shape.rank());
    return {{x[0].dtype, Shape(WindowedSizes(x[0].shape.dims(), complete))}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    const Value x = node.operands[0];
    const Window complete = Completed(window);
    const std::string scalar = TensorType{x.dtype(), {}}.ToMlir();
    const std::string init = e.Inline(node, InitialValue(reduction, x.dtype()));
    e.Line(node,
           fmt::format("\"stablehlo.reduce_window\"({}, {}) <{{window_dimensions = {}, window_strides = {}, "
                       "base_dilations = {}, window_dilations = {}, padding = {}}}> ({}) : ({}, {}) -> {}",
                       e.Ref(x), init, I64Array(complete.size), I64Array(complete.strides),
                       I64Array(complete.base_dilation), I64Array(complete.window_dilation),
                       I64Matrix(complete.padding),
                       Emitter::ReductionRegion(MlirReduction(reduction), x.dtype()), x.type().ToMlir(),
                       scalar, node.types[0].ToMlir()));
  }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value x = node.operands[0];
    const Value y = node.result();
    const Window complete = Completed(window);
    if (x.shape().ElementCount() == 0 || y.shape().ElementCount() == 0) return {Value()};
    switch (reduction) {
      case Reduction::kAdd:
        return {GradientOfSum(dy[0], x.shape(), complete)};
      case Reduction::kMax:
      case Reduction::kMin:
        return {GradientOfExtremes(x, y, dy[0], reduction, complete)};
      default:
        Fail("reduce_window: '{}' has no gradient; 'add', 'maximum' and 'minimum' have one",
             kReductionNames[static_cast<size_t>(reduction)]);
    }
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {ReduceWindow(x[0].value, reduction, BatchedWindow(window))};
  }
};

}  // namespace

std::vector<OpEntry> ReduceWindowOps() { return EntriesOf<ReduceWindowOp>(); }

Value ReduceWindow(Value x, Reduction reduction, Window window) {
  ReduceWindowOp op;
  op.reduction = reduction;
  op.window = Completed(std::move(window));
  return Apply(op, {x});
}

}  // namespace headrace
