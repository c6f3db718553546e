#include "headrace/graph/ops/reduce_by.h"

#include <algorithm>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/vjp.h"
#include "headrace/graph/registry.h"
#include "headrace/graph/vmap.h"

namespace headrace {
namespace {

// What the two ops share. Operands: the values, then a scalar for each.
template <class Derived>
struct ReducesBy : OpOf<Derived> {
  std::shared_ptr<const Function> combine;

  int Arity() const override { return -1; }

  // The types of the values.
  TypeSpan RequireOperands(TypeSpan x) const {
    Require(!x.empty() && x.size() % 2 == 0, "takes values and a scalar for each");
    const TypeSpan values = x.first(x.size() / 2);
    for (size_t i = 0; i < values.size(); ++i) {
      Require(values[i].shape == values[0].shape, "shapes differ");
      Require(x[values.size() + i] == TensorType{values[i].dtype, {}}, "init {} is {}; it must be {}", i,
              x[values.size() + i].ToString(), TensorType{values[i].dtype, {}}.ToString());
    }
    RequireCombine(combine.get(), values);
    return values;
  }

  static Types WithShape(TypeSpan values, const Shape& shape) {
    Types types;
    for (const TensorType& type : values) types.push_back({type.dtype, shape});
    return types;
  }

  // The results, made of `combine` on whole values.
  ValueFn InParts() const {
    return [this](std::span<const Value> x) {
      const size_t count = x.size() / 2;
      const auto& self = static_cast<const Derived&>(*this);
      const Values values(x.begin(), x.begin() + static_cast<long>(count));
      const Values init(x.begin() + static_cast<long>(count), x.end());
      const Values reduced = self.Parts(values, init);
      const Shape shape = self.Infer(TypesOf(x))[0].shape;
      Values before;
      for (Value scalar : init) before.push_back(BroadcastTo(scalar, shape));
      return reduced.empty() ? before : CombineElements(*combine, before, reduced);
    };
  }

  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    return Vjp(std::string(Derived::kName) + "_gradient", InParts(), node.operands, dy);
  }

  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    const size_t count = x.size() / 2;
    const bool one_init = std::ranges::none_of(x.subspan(count), &BatchOperand::batched);
    Values operands;
    std::vector<std::optional<int>> in_axes;
    for (size_t i = 0; i < x.size(); ++i) {
      operands.push_back(one_init && i < count ? BroadcastBatch(x[i], size) : x[i].value);
      in_axes.push_back(x[i].batched ? std::optional(0) : std::nullopt);
    }
    // Examples with an init of their own are no one reduction.
    if (!one_init) return Vmap(InParts(), operands, in_axes);
    return ApplyMany(static_cast<const Derived&>(*this).Batched(), std::move(operands));
  }
};

struct ReduceByOp final : ReducesBy<ReduceByOp> {
  static constexpr std::string_view kName = "reduce_by";
  Ints dims;  // rising

  void Attributes(AttributeVisitor& v) override {
    v.Visit("dims", dims);
    v.Visit("combine", combine);
  }
  Types Infer(TypeSpan x) const override {
    const TypeSpan values = RequireOperands(x);
    return WithShape(values, WithoutDims(values[0].shape, dims));
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.reduce", node, {{"dimensions", I64Array(dims)}}, e.Region(*combine));
  }
  ReduceByOp Batched() const {
    ReduceByOp op = *this;
    op.dims = ShiftedByBatch(dims);
    return op;
  }
  Values Parts(const Values& values, const Values&) const {
    Values flat;
    for (Value value : values) flat.push_back(FlattenedLast(value, dims).value);
    return flat[0].dim(-1) == 0 ? Values() : CombineAlongLast(*combine, flat);
  }
};

struct ReduceWindowByOp final : ReducesBy<ReduceWindowByOp> {
  static constexpr std::string_view kName = "reduce_window_by";
  Window window;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("window", window.size);
    v.Visit("strides", window.strides);
    v.Visit("padding", window.padding);
    v.Visit("base_dilation", window.base_dilation);
    v.Visit("window_dilation", window.window_dilation);
    v.Visit("combine", combine);
  }
  Types Infer(TypeSpan x) const override {
    const TypeSpan values = RequireOperands(x);
    const Window complete = Completed(window);
    RequireWindow(complete, values[0].shape.rank());
    return WithShape(values, Shape(WindowedSizes(values[0].shape.dims(), complete)));
  }
  void Emit(const Node& node, Emitter& e) const override {
    const Window complete = Completed(window);
    e.Op("stablehlo.reduce_window", node,
         {{"window_dimensions", I64Array(complete.size)},
          {"window_strides", I64Array(complete.strides)},
          {"base_dilations", I64Array(complete.base_dilation)},
          {"window_dilations", I64Array(complete.window_dilation)},
          {"padding", I64Matrix(complete.padding)}},
         e.Region(*combine));
  }
  ReduceWindowByOp Batched() const {
    ReduceWindowByOp op = *this;
    op.window = BatchedWindow(window);
    return op;
  }
  Values Parts(const Values& values, const Values& init) const {
    const Window complete = Completed(window);
    const Shape positions(WindowedSizes(values[0].shape().dims(), complete));
    Values bases;
    for (size_t i = 0; i < values.size(); ++i) bases.push_back(PaddedBase(values[i], init[i], complete));
    Values reduced;
    for (int64_t k = 0; positions.ElementCount() > 0 && k < ElementCount(complete); ++k) {
      Values seen;
      for (Value base : bases) seen.push_back(SeenBy(base, WindowOffset(complete, k), complete, positions));
      reduced = reduced.empty() ? seen : CombineElements(*combine, reduced, seen);
    }
    return reduced;
  }
};

}  // namespace

std::vector<OpEntry> ReduceByOps() { return EntriesOf<ReduceByOp, ReduceWindowByOp>(); }

Values ReduceBy(const CombineFn& combine, Values values, Values init, Ints axes) {
  if (axes.empty()) return values;
  ReduceByOp op;
  op.dims = RisingAxes(std::move(axes), values.at(0).rank());
  op.combine = TraceCombine(values, combine);
  values.insert(values.end(), init.begin(), init.end());
  return ApplyMany(std::move(op), std::move(values));
}

Values ReduceWindowBy(const CombineFn& combine, Values values, Values init, Window window) {
  ReduceWindowByOp op;
  op.window = Completed(std::move(window));
  op.combine = TraceCombine(values, combine);
  values.insert(values.end(), init.begin(), init.end());
  return ApplyMany(std::move(op), std::move(values));
}

}  // namespace headrace
