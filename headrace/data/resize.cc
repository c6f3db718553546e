#include "headrace/data/resize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "headrace/core/check.h"
#include "headrace/data/internal/vector_clones.h"

namespace headrace::data {
namespace {

// Weights are whole numbers of this unit, so that sums are exact and equal on every machine.
constexpr int kWeightBits = 22;
constexpr int32_t kHalf = 1 << (kWeightBits - 1);

// A filter of the distance from a new pixel's centre, in old pixels (or new ones, where they are larger).
double Bilinear(double x) { return std::max(0.0, 1 - std::fabs(x)); }

// Keys, "Cubic convolution interpolation for digital image processing", 1981, with a = -1/2.
double Bicubic(double x) {
  constexpr double kA = -0.5;
  x = std::fabs(x);
  if (x < 1) return ((kA + 2) * x - (kA + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * kA;
  return 0;
}

// Which old pixels a new one is made of: `count` weights from `first` on.
struct Taps {
  int64_t first = 0;
  int64_t count = 0;
  const int32_t* weights = nullptr;
};

// The taps of every pixel along one axis.
class Axis {
 public:
  Axis(int64_t from, int64_t to, Interpolation interpolation) {
    if (interpolation == Interpolation::kNearest) {
      TakeNearest(from, to);
      return;
    }
    const bool cubic = interpolation == Interpolation::kBicubic;
    const double scale = static_cast<double>(from) / static_cast<double>(to);
    const double stretch = std::max(1.0, scale);
    const double reach = (cubic ? 2 : 1) * stretch;
    most_ = static_cast<int64_t>(std::ceil(reach)) * 2 + 1;
    weights_.resize(to * most_);
    std::vector<double> exact(most_);
    for (int64_t at = 0; at < to; ++at) {
      const double centre = (static_cast<double>(at) + 0.5) * scale;
      const double left = centre - reach + 0.5, right = centre + reach + 0.5;  // cut off, not rounded
      const int64_t first = std::max<int64_t>(0, static_cast<int64_t>(left));
      const int64_t end = std::min(from, static_cast<int64_t>(right));
      double sum = 0;
      for (int64_t i = first; i < end; ++i) {
        const double distance = (static_cast<double>(i) - centre + 0.5) * (1 / stretch);
        sum += exact[i - first] = cubic ? Bicubic(distance) : Bilinear(distance);
      }
      int32_t* weights = weights_.data() + at * most_;
      for (int64_t i = 0; i < end - first; ++i) {
        weights[i] = static_cast<int32_t>(std::lround(exact[i] * (1 / sum) * (1 << kWeightBits)));
      }
      taps_.push_back({first, end - first, weights});
    }
  }
  Axis(const Axis&) = delete;
  Axis& operator=(const Axis&) = delete;

  const Taps& operator[](int64_t at) const { return taps_[at]; }
  int64_t size() const { return static_cast<int64_t>(taps_.size()); }

 private:
  // Of each new pixel the old one that its centre lies in.
  void TakeNearest(int64_t from, int64_t to) {
    weights_ = {1 << kWeightBits};
    for (int64_t at = 0; at < to; ++at) taps_.push_back({(2 * at + 1) * from / (2 * to), 1, weights_.data()});
  }

  int64_t most_ = 0;
  std::vector<int32_t> weights_;
  std::vector<Taps> taps_;
};

uint8_t ToByte(int32_t sum) { return static_cast<uint8_t>(std::clamp(sum >> kWeightBits, 0, 255)); }

// One row of grays: [from] -> [to].
void ResizeGrayRow(const uint8_t* in, const Axis& axis, uint8_t* out) {
  for (int64_t x = 0; x < axis.size(); ++x) {
    const Taps& taps = axis[x];
    int32_t sum = kHalf;
    for (int64_t i = 0; i < taps.count; ++i) sum += in[taps.first + i] * taps.weights[i];
    out[x] = ToByte(sum);
  }
}

// A pixel as four lanes, of which the last is idle.
using Bytes4 = uint8_t __attribute__((vector_size(4)));
using Lanes = int32_t __attribute__((vector_size(16)));

// One row of colors: [from, 3] -> [to, 3]. `spread` is memory for `from` pixels.
HR_VECTOR_CLONES
void ResizeColorRow(const uint8_t* in, int64_t from, const Axis& axis, Bytes4* spread, uint8_t* out) {
  for (int64_t x = 0; x < from; ++x, in += 3) spread[x] = Bytes4{in[0], in[1], in[2], 0};
  for (int64_t x = 0; x < axis.size(); ++x, out += 3) {
    const Taps& taps = axis[x];
    Lanes sums = {kHalf, kHalf, kHalf, kHalf};
    for (int64_t i = 0; i < taps.count; ++i) {
      sums += __builtin_convertvector(spread[taps.first + i], Lanes) * taps.weights[i];
    }
    for (int c = 0; c < 3; ++c) out[c] = ToByte(sums[c]);
  }
}

// A weighted sum of rows `stride` apart, each `size` bytes.
HR_VECTOR_CLONES
void SumRows(const uint8_t* in, int64_t stride, const Taps& taps, int64_t size, int32_t* sums, uint8_t* out) {
  std::fill_n(sums, size, kHalf);
  for (int64_t i = 0; i < taps.count; ++i) {
    const uint8_t* row = in + (taps.first + i) * stride;
    const int32_t weight = taps.weights[i];
    for (int64_t x = 0; x < size; ++x) sums[x] += row[x] * weight;
  }
  for (int64_t x = 0; x < size; ++x) out[x] = ToByte(sums[x]);
}

}  // namespace

Interpolation ParseInterpolation(std::string_view name) {
  HR_CHECK(std::ranges::find(kInterpolations, name) != kInterpolations.end());
  return name == "bicubic" ? Interpolation::kBicubic : Interpolation::kBilinear;
}

Box WholeOf(const HostTensor& picture) {
  return {.top = 0, .left = 0, .height = picture.shape()[0], .width = picture.shape()[1]};
}

HostTensor Resize(const HostTensor& picture, const Box& box, int64_t height, int64_t width,
                  Interpolation interpolation) {
  const Shape& shape = picture.shape();
  HR_CHECK(shape.rank() == 3 && height >= 1 && width >= 1 && box.height >= 1 && box.width >= 1);
  HR_CHECK(box.top >= 0 && box.left >= 0 && box.top + box.height <= shape[0] &&
           box.left + box.width <= shape[1]);
  const int64_t channels = shape[2];
  HR_CHECK(channels == 1 || channels == 3);
  const int64_t stride = shape[1] * channels;
  const uint8_t* in = picture.data<uint8_t>().data() + box.top * stride + box.left * channels;

  // Rows first, then columns; 8 bits between the two, and nothing done along an axis that keeps its size.
  HostTensor narrow({DType::kU8, {box.height, width, channels}});
  uint8_t* out = narrow.mutable_data<uint8_t>().data();
  const Axis columns(box.width, width, interpolation);
  std::vector<Bytes4> spread(box.width);
  for (int64_t y = 0; y < box.height; ++y, in += stride, out += width * channels) {
    if (width == box.width) {
      std::copy_n(in, width * channels, out);
    } else if (channels == 3) {
      ResizeColorRow(in, box.width, columns, spread.data(), out);
    } else {
      ResizeGrayRow(in, columns, out);
    }
  }
  if (height == box.height) return narrow;

  HostTensor result({DType::kU8, {height, width, channels}});
  const int64_t size = width * channels;
  std::vector<int32_t> sums(size);
  const Axis rows(box.height, height, interpolation);
  for (int64_t y = 0; y < height; ++y) {
    SumRows(narrow.data<uint8_t>().data(), size, rows[y], size, sums.data(),
            result.mutable_data<uint8_t>().data() + y * size);
  }
  return result;
}

}  // namespace headrace::data
