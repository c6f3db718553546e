#include "headrace/graph/ops/fft.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

enum class FftType { kFft, kIfft, kRfft, kIrfft };
constexpr std::array<std::string_view, 4> kTypeNames = {"FFT", "IFFT", "RFFT", "IRFFT"};
constexpr std::array<std::string_view, 4> kFunctionNames = {"fft", "ifft", "rfft", "irfft"};

constexpr size_t kMostAxes = 3;

Value Transformed(Value x, FftType type, Ints lengths);

struct FftOp final : OpOf<FftOp> {
  static constexpr std::string_view kName = "fft";
  FftType type = FftType::kFft;
  Ints lengths;  // of the signal in the last dimensions

  void Attributes(AttributeVisitor& v) override {
    v.Visit("type", type, kTypeNames);
    v.Visit("lengths", lengths);
  }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    const bool from_real = type == FftType::kRfft;
    const bool real = x[0].dtype == DType::kF32 || x[0].dtype == DType::kF64;
    Require(from_real ? real : IsComplex(x[0].dtype), "{} takes {}", kTypeNames[static_cast<size_t>(type)],
            from_real ? "f32 or f64" : "complex");
    const auto count = static_cast<int>(lengths.size());
    const bool positive = std::ranges::all_of(lengths, [](int64_t length) { return length > 0; });
    Require(count >= 1 && lengths.size() <= kMostAxes && count <= x[0].shape.rank() && positive,
            "lengths {} must be one to three positive numbers, for the last dimensions", Bracketed(lengths));
    const Ints halved = Halved();
    const Ints& expected = type == FftType::kIrfft ? halved : lengths;
    const Ints last(x[0].shape.end() - count, x[0].shape.end());
    Require(last == expected, "lengths {} are those of dimensions {}, not {}", Bracketed(lengths),
            Bracketed(expected), Bracketed(last));
    Ints dims(x[0].shape.begin(), x[0].shape.end() - count);
    const Ints& made = from_real ? halved : lengths;
    dims.insert(dims.end(), made.begin(), made.end());
    const DType dtype = from_real                 ? ComplexOf(x[0].dtype)
                        : type == FftType::kIrfft ? PartOf(x[0].dtype)
                                                  : x[0].dtype;
    return {{dtype, Shape(std::move(dims))}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.fft", node,
         {{"fft_type", fmt::format("#stablehlo<fft_type {}>", kTypeNames[static_cast<size_t>(type)])},
          {"fft_length", I64Array(lengths)}});
  }
  // The matrix of a transform is symmetric. Of RFFT it is the left part of FFT's. In IRFFT all numbers but
  // the first, and the middle one of an even length, stand for two.
  Values Gradient(const Node&, std::span<const Value> dy) const override {
    switch (type) {
      case FftType::kFft:
      case FftType::kIfft:
        return {Transformed(dy[0], type, lengths)};
      case FftType::kRfft: {
        Padding padding(static_cast<size_t>(dy[0].rank()));
        padding.back() = {0, lengths.back() - dy[0].dim(-1)};
        const Value whole = Pad(dy[0], Scalar(dy[0].graph(), dy[0].dtype(), 0), padding);
        return {Real(Transformed(whole, FftType::kFft, lengths))};
      }
      case FftType::kIrfft:
        break;
    }
    const Value spectrum = Transformed(dy[0], FftType::kRfft, lengths);
    const Value weight = HalfWeights(dy[0]);
    return {Complex(weight * Real(spectrum), -weight * Imag(spectrum))};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {Transformed(x[0].value, type, lengths)};
  }

 private:
  // The lengths of the spectrum of real numbers.
  Ints Halved() const {
    Ints halved = lengths;
    if (!halved.empty()) halved.back() = halved.back() / 2 + 1;
    return halved;
  }

  // Of every number of half a spectrum how often it stands in the whole, over the number of elements. [m]
  Value HalfWeights(Value like) const {
    double elements = 1;
    for (int64_t length : lengths) elements *= static_cast<double>(length);
    HostTensor weights({like.dtype(), Shape({Halved().back()})});
    for (int64_t i = 0; i < weights.size(); ++i) {
      const bool once = i == 0 || 2 * i == lengths.back();
      weights.Set(i, (once ? 1 : 2) / elements);
    }
    return Constant(like.graph(), std::move(weights));
  }
};

Value Transformed(Value x, FftType type, Ints lengths) {
  FftOp op;
  op.type = type;
  op.lengths = std::move(lengths);
  return Apply(op, {x});
}

// The element type that a transform takes: that of x, or complex numbers for real ones.
Value Taken(Value x, FftType type) {
  const std::string_view name = kFunctionNames[static_cast<size_t>(type)];
  const DType part = PartOf(x.dtype());
  Require(part == DType::kF32 || part == DType::kF64, "{}: takes f32, f64, c64 or c128, not {}; convert it",
          name, x.type().ToString());
  if (type == FftType::kRfft) {
    Require(!IsComplex(x.dtype()), "{}: takes real numbers, not {}; use fft", name, x.type().ToString());
    return x;
  }
  return Convert(x, IsComplex(x.dtype()) ? x.dtype() : ComplexOf(x.dtype()));
}

Ints NormalizedAxes(Value x, FftType type, Ints axes) {
  for (int64_t& axis : axes) axis = axis < 0 ? axis + x.rank() : axis;
  const bool within = std::ranges::all_of(axes, [&](int64_t axis) { return axis >= 0 && axis < x.rank(); });
  Ints sorted = axes;
  std::ranges::sort(sorted);
  const bool distinct = std::ranges::adjacent_find(sorted) == sorted.end();
  Require(within && distinct && !axes.empty() && axes.size() <= kMostAxes,
          "{}: axes {} are not one to three dimensions of {}", kFunctionNames[static_cast<size_t>(type)],
          Bracketed(axes), x.type().ToString());
  return axes;
}

// Cut, or filled with zeros, at the end of an axis.
Value Resized(Value x, int64_t axis, int64_t size) {
  Padding padding(static_cast<size_t>(x.rank()));
  padding[static_cast<size_t>(axis)] = {0, size - x.dim(static_cast<int>(axis))};
  return x.dim(static_cast<int>(axis)) == size ? x : Pad(x, Scalar(x.graph(), x.dtype(), 0), padding);
}

double Scale(FftNorm norm, bool inverse, double elements) {
  if (norm == FftNorm::kOrtho) return inverse ? std::sqrt(elements) : 1 / std::sqrt(elements);
  if (norm == FftNorm::kForward) return inverse ? elements : 1 / elements;
  return 1;
}

Value Transform(Value x, FftType type, const FftOptions& options) {
  x = Taken(x, type);
  const Ints axes = NormalizedAxes(x, type, options.axes);
  Ints lengths = options.lengths;
  const bool half = type == FftType::kIrfft;  // the last axis has half a spectrum
  if (lengths.empty()) {
    for (int64_t axis : axes) lengths.push_back(x.dim(static_cast<int>(axis)));
    if (half) lengths.back() = 2 * (lengths.back() - 1);
  }
  const bool positive = std::ranges::all_of(lengths, [](int64_t length) { return length > 0; });
  Require(lengths.size() == axes.size() && positive, "{}: lengths {} of {} must be a positive number an axis",
          kFunctionNames[static_cast<size_t>(type)], Bracketed(lengths), x.type().ToString());

  double elements = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    const bool halved = half && i + 1 == axes.size();
    x = Resized(x, axes[i], halved ? lengths[i] / 2 + 1 : lengths[i]);
    elements *= static_cast<double>(lengths[i]);
  }
  Ints order;  // the axes last
  for (int64_t axis = 0; axis < x.rank(); ++axis) {
    if (std::ranges::find(axes, axis) == axes.end()) order.push_back(axis);
  }
  order.insert(order.end(), axes.begin(), axes.end());
  Ints back(order.size());
  for (size_t i = 0; i < order.size(); ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);

  const bool inverse = type == FftType::kIfft || type == FftType::kIrfft;
  const double scale = Scale(options.norm, inverse, elements);
  const Value y = Transpose(Transformed(Transpose(x, order), type, lengths), back);
  return scale == 1 ? y : y * scale;
}

Value Frequencies(Graph& graph, const std::vector<int64_t>& numbers, int64_t n, double spacing, DType dtype) {
  Require(n > 0 && spacing != 0, "frequencies: there are none of {} samples {} apart", n, spacing);
  HostTensor frequencies({dtype, Shape({static_cast<int64_t>(numbers.size())})});
  for (size_t i = 0; i < numbers.size(); ++i) {
    frequencies.Set(static_cast<int64_t>(i),
                    static_cast<double>(numbers[i]) / (static_cast<double>(n) * spacing));
  }
  return Constant(graph, std::move(frequencies));
}

// The elements of an axis moved on by `by`, around its end.
Value Rolled(Value x, int axis, int64_t by) {
  const int64_t size = x.dim(axis);
  if (size == 0 || by == 0) return x;
  return Concatenate({Slice(x, axis, size - by, size), Slice(x, axis, 0, size - by)}, axis);
}

}  // namespace

std::vector<OpEntry> FftOps() { return EntriesOf<FftOp>(); }

Value Fft(Value x, const FftOptions& options) { return Transform(x, FftType::kFft, options); }
Value Ifft(Value x, const FftOptions& options) { return Transform(x, FftType::kIfft, options); }
Value Rfft(Value x, const FftOptions& options) { return Transform(x, FftType::kRfft, options); }
Value Irfft(Value x, const FftOptions& options) { return Transform(x, FftType::kIrfft, options); }

Value FftFrequencies(Graph& graph, int64_t n, double spacing, DType dtype) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < n; ++i) numbers.push_back(2 * i < n ? i : i - n);
  return Frequencies(graph, numbers, n, spacing, dtype);
}

Value RfftFrequencies(Graph& graph, int64_t n, double spacing, DType dtype) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i <= n / 2; ++i) numbers.push_back(i);
  return Frequencies(graph, numbers, n, spacing, dtype);
}

Value FftShift(Value x, const Ints& axes) {
  for (int64_t axis : axes) x = Rolled(x, static_cast<int>(axis), x.dim(static_cast<int>(axis)) / 2);
  return x;
}

Value IfftShift(Value x, const Ints& axes) {
  for (int64_t axis : axes) {
    const int64_t size = x.dim(static_cast<int>(axis));
    x = Rolled(x, static_cast<int>(axis), size - size / 2);
  }
  return x;
}

}  // namespace headrace
