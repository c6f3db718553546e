#include "headrace/graph/ops/convolution.h"

#include <algorithm>
#include <utility>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/fold.h"
#include "headrace/graph/ops/precision.h"
#include "headrace/graph/ops/reverse.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

Ints SizesOf(const Shape& shape, const Ints& dims) {
  Ints sizes;
  for (int64_t dim : dims) sizes.push_back(shape[static_cast<int>(dim)]);
  return sizes;
}

int64_t SizeOf(const Shape& shape, int64_t dim) { return shape[static_cast<int>(dim)]; }

// The options of a convolution by the same rule in each spatial dimension of another.
ConvOptions OptionsOf(const std::vector<WindowDim>& window, Precision precision) {
  ConvOptions options;
  Padding padding;
  for (const WindowDim& dim : window) {
    options.strides.push_back(dim.stride);
    options.lhs_dilation.push_back(dim.base_dilation);
    options.rhs_dilation.push_back(dim.window_dilation);
    padding.push_back({dim.low, dim.high});
  }
  options.padding = padding;
  options.precision = precision;
  return options;
}

// Cuts off what negative padding removes, for `window` to pad no less than nothing: XLA's CPU convolutions
// read out of bounds otherwise. Where elements have holes between them, the holes must become elements first.
Value WithoutNegativePadding(Value x, const Ints& spatial, Window& window) {
  Padding cut(static_cast<size_t>(x.rank()));
  Ints holes(static_cast<size_t>(x.rank()), 0);
  bool negative = false;
  for (size_t i = 0; i < spatial.size(); ++i) {
    auto& [low, high] = window.padding[i];
    if (low >= 0 && high >= 0) continue;
    negative = true;
    const auto at = static_cast<size_t>(spatial[i]);
    cut[at] = {std::min<int64_t>(low, 0), std::min<int64_t>(high, 0)};
    holes[at] = std::exchange(window.base_dilation[i], 1) - 1;
    low = std::max<int64_t>(low, 0);
    high = std::max<int64_t>(high, 0);
  }
  return negative ? Pad(x, Scalar(x.graph(), x.dtype(), 0), cut, holes) : x;
}

struct ConvolutionOp final : OpOf<ConvolutionOp> {
  static constexpr std::string_view kName = "convolution";
  ConvDims dims = ConvDims::ChannelsLast(2);
  Ints strides, lhs_dilation, rhs_dilation;
  Padding padding;
  int64_t feature_groups = 1;
  int64_t batch_groups = 1;
  Precision precision = Precision::kDefault;

  void Attributes(AttributeVisitor& v) override {
    const std::string before = dims.ToString();
    std::string text = before;
    v.Visit("dims", text);
    if (text != before) {
      dims = ConvDims::Parse(text);
      Require(dims.ToString() == text, "attribute dims: '{}' is not like b01f_01io->b01f", text);
    }
    v.Visit("strides", strides);
    v.Visit("padding", padding);
    v.Visit("lhs_dilation", lhs_dilation);
    v.Visit("rhs_dilation", rhs_dilation);
    v.Visit("feature_groups", feature_groups);
    v.Visit("batch_groups", batch_groups);
    v.Visit("precision", precision, kPrecisionNames);
  }
  int Arity() const override { return 2; }
  Types Infer(TypeSpan x) const override {
    const Shape& lhs = x[0].shape;
    const Shape& rhs = x[1].shape;
    Require(x[0].dtype == x[1].dtype, "element types differ; convert one of them");
    Require(x[0].dtype != DType::kPred, "takes numbers, not pred");
    RequireConvDims(dims, lhs.rank(), rhs.rank());
    RequireGroups(lhs, rhs);
    const Window window = WindowOf(rhs);
    RequireWindow(window, dims.spatial_rank());
    for (const auto& [low, high] : window.padding) {
      Require(low >= 0 && high >= 0, "padding ({}, {}) is negative; Convolution() cuts the input instead",
              low, high);
    }
    const Ints positions = WindowedSizes(SizesOf(lhs, dims.lhs_spatial), window);
    Ints out(static_cast<size_t>(lhs.rank()));
    out[static_cast<size_t>(dims.out_batch)] = SizeOf(lhs, dims.lhs_batch) / batch_groups;
    out[static_cast<size_t>(dims.out_feature)] = SizeOf(rhs, dims.rhs_output);
    for (size_t i = 0; i < positions.size(); ++i)
      out[static_cast<size_t>(dims.out_spatial[i])] = positions[i];
    return {{x[0].dtype, Shape(out)}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    const Window window = WindowOf(node.operands[1].shape());
    e.Op("stablehlo.convolution", node,
         {{"window_strides", I64Array(window.strides)},
          {"padding", I64Matrix(window.padding)},
          {"lhs_dilation", I64Array(window.base_dilation)},
          {"rhs_dilation", I64Array(window.window_dilation)},
          {"dimension_numbers", ToMlir(dims)},
          {"feature_group_count", fmt::format("{} : i64", feature_groups)},
          {"batch_group_count", fmt::format("{} : i64", batch_groups)},
          {"precision_config", PrecisionConfig(e.PrecisionOf(precision))}});
  }

  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value x = node.operands[0];
    const Value w = node.operands[1];
    const int64_t least = std::min(x.shape().ElementCount(), w.shape().ElementCount());
    if (least == 0 || node.result().shape().ElementCount() == 0) return {Value(), Value()};
    return {InputGradient(x, w, dy[0]), FilterGradient(x, w, dy[0])};
  }

  // A batch of inputs is more of their batch, a batch of filters more output features; a batch of both is
  // more groups, of features or, where those are split already, of the batch.
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    const BatchOperand& lhs = x[0];
    const BatchOperand& rhs = x[1];
    const int64_t groups = feature_groups * batch_groups;
    if (!rhs.batched) {
      return {Unfold(Again(Fold(lhs.value, dims.lhs_batch, batch_groups), rhs.value), dims.out_batch, size)};
    }
    if (!lhs.batched) {
      const Value y = Again(lhs.value, Fold(rhs.value, dims.rhs_output, groups));
      return {Unfold(y, dims.out_feature, size, groups)};
    }
    ConvolutionOp grouped = *this;
    int64_t& count = batch_groups > 1 ? grouped.batch_groups : grouped.feature_groups;
    count *= size;
    const Value folded_lhs = Fold(lhs.value, batch_groups > 1 ? dims.lhs_batch : dims.lhs_feature);
    const Value y = headrace::Apply(grouped, {folded_lhs, Fold(rhs.value, dims.rhs_output)});
    return {Unfold(y, dims.out_feature, size)};
  }

 private:
  Value Again(Value lhs, Value rhs) const { return headrace::Apply(*this, {lhs, rhs}); }

  Window WindowOf(const Shape& rhs) const {
    return Completed({.size = SizesOf(rhs, dims.rhs_spatial),
                      .strides = strides,
                      .padding = padding,
                      .base_dilation = lhs_dilation,
                      .window_dilation = rhs_dilation});
  }

  void RequireGroups(const Shape& lhs, const Shape& rhs) const {
    Require(feature_groups >= 1 && batch_groups >= 1 && std::min(feature_groups, batch_groups) == 1,
            "feature_groups {} and batch_groups {} must be positive and one of them 1", feature_groups,
            batch_groups);
    const int64_t features = SizeOf(lhs, dims.lhs_feature);
    const int64_t taken = SizeOf(rhs, dims.rhs_input);
    Require(features == taken * feature_groups, "the input has {} features; the filter takes {}{}", features,
            taken, feature_groups == 1 ? "" : fmt::format(" in each of {} groups", feature_groups));
    const int64_t made = SizeOf(rhs, dims.rhs_output);
    const int64_t groups = feature_groups * batch_groups;
    Require(made % groups == 0, "the filter's {} output features do not divide into {} groups", made, groups);
    const int64_t batch = SizeOf(lhs, dims.lhs_batch);
    Require(batch % batch_groups == 0, "a batch of {} does not divide into {} groups", batch, batch_groups);
  }

  // dy slides back over the input: the transposed window, with the filter reversed and its features
  // exchanged. A group of either kind becomes a group of features, so each takes its filters along with it.
  Value InputGradient(Value x, Value w, Value dy) const {
    const Window window = WindowOf(w.shape());
    std::vector<WindowDim> transposed;
    for (int i = 0; i < dims.spatial_rank(); ++i) {
      transposed.push_back(
          DimOf(window, i).Transposed(SizeOf(x.shape(), dims.lhs_spatial[static_cast<size_t>(i)])));
    }
    ConvOptions options = OptionsOf(transposed, precision);
    options.feature_groups = feature_groups * batch_groups;
    const ConvDims exchanged = {.lhs_batch = dims.out_batch,
                                .lhs_feature = dims.out_feature,
                                .lhs_spatial = dims.out_spatial,
                                .rhs_input = dims.rhs_output,
                                .rhs_output = dims.rhs_input,
                                .rhs_spatial = dims.rhs_spatial,
                                .out_batch = dims.lhs_batch,
                                .out_feature = dims.lhs_feature,
                                .out_spatial = dims.lhs_spatial};
    const Value filter =
        MoveFactor(Reverse(w, dims.rhs_spatial), dims.rhs_output, dims.rhs_input, options.feature_groups);
    const Value dx = Convolution(dy, filter, exchanged, options);
    return MoveFactor(dx, dims.lhs_feature, dims.lhs_batch, batch_groups);
  }

  // dy is the filter that slides over the input: batch and features change roles, and with them their groups.
  Value FilterGradient(Value x, Value w, Value dy) const {
    const Window window = WindowOf(w.shape());
    std::vector<WindowDim> of_elements;
    for (int i = 0; i < dims.spatial_rank(); ++i) {
      of_elements.push_back(
          DimOf(window, i).OfElements(SizeOf(x.shape(), dims.lhs_spatial[static_cast<size_t>(i)])));
    }
    ConvOptions options = OptionsOf(of_elements, precision);
    options.feature_groups = batch_groups;
    options.batch_groups = feature_groups;
    const ConvDims exchanged = {.lhs_batch = dims.lhs_feature,
                                .lhs_feature = dims.lhs_batch,
                                .lhs_spatial = dims.lhs_spatial,
                                .rhs_input = dims.out_batch,
                                .rhs_output = dims.out_feature,
                                .rhs_spatial = dims.out_spatial,
                                .out_batch = dims.rhs_input,
                                .out_feature = dims.rhs_output,
                                .out_spatial = dims.rhs_spatial};
    return Convolution(x, dy, exchanged, options);
  }
};

}  // namespace

std::vector<OpEntry> ConvolutionOps() { return EntriesOf<ConvolutionOp>(); }

Value Convolution(Value lhs, Value rhs, const ConvDims& dims, const ConvOptions& options) {
  Window window;
  try {
    RequireConvDims(dims, lhs.rank(), rhs.rank());
    const Ints sizes = SizesOf(lhs.shape(), dims.lhs_spatial);
    window = Completed({.size = SizesOf(rhs.shape(), dims.rhs_spatial),
                        .strides = options.strides,
                        .base_dilation = options.lhs_dilation,
                        .window_dilation = options.rhs_dilation});
    RequireWindow(window, dims.spatial_rank());
    window.padding = ResolvePadding(options.padding, sizes, window);
    RequireWindow(window, dims.spatial_rank());
    WindowedSizes(sizes, window);
  } catch (const GraphError& error) {
    throw GraphError(lhs.graph().scope(), fmt::format("convolution({}, {}): {}", lhs.type().ToString(),
                                                      rhs.type().ToString(), error.message()));
  }
  const Value input = WithoutNegativePadding(lhs, dims.lhs_spatial, window);
  ConvolutionOp op;
  op.dims = dims;
  op.strides = window.strides;
  op.padding = window.padding;
  op.lhs_dilation = window.base_dilation;
  op.rhs_dilation = window.window_dilation;
  op.feature_groups = options.feature_groups;
  op.batch_groups = options.batch_groups;
  op.precision = options.precision;
  return Apply(op, {input, rhs});
}

}  // namespace headrace
