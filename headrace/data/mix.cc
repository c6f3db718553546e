#include "headrace/data/mix.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "headrace/core/check.h"
#include "headrace/data/dataset.h"
#include "headrace/data/internal/vector_clones.h"

namespace headrace::data {
namespace {

// Box and Muller.
double DrawNormal(CounterRandom& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.Uniform(0, 1)));
  return radius * std::cos(random.Uniform(0, 2 * std::numbers::pi));
}

// The logarithm of a number from Gamma(shape, 1): Marsaglia and Tsang, "A simple method for generating gamma
// variables", 2000. In logarithms, since numbers for small shapes are too small for a double.
double DrawLogGamma(double shape, CounterRandom& random) {
  if (shape < 1) return DrawLogGamma(shape + 1, random) + std::log(1 - random.Uniform(0, 1)) / shape;
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = DrawNormal(random);
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double u = 1 - random.Uniform(0, 1);
    if (std::log(u) < x * x / 2 + d * (1 - v + std::log(v))) return std::log(d * v);
  }
}

HR_VECTOR_CLONES
void Blend(std::span<float> own, std::span<const float> other, float share) {
  for (size_t i = 0; i < own.size(); ++i) own[i] = share * own[i] + (1 - share) * other[i];
}

// Row i of a batch of so many.
template <class T>
std::span<T> RowOf(std::span<T> all, int64_t i, int64_t count) {
  const size_t size = all.size() / count;
  return all.subspan(i * size, size);
}

HostTensor& Find(std::vector<NamedTensor>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &NamedTensor::name);
  HR_CHECK(found != fields.end());
  return found->tensor;
}

}  // namespace

double DrawBeta(double alpha, CounterRandom& random) {
  const double first = DrawLogGamma(alpha, random);
  const double second = DrawLogGamma(alpha, random);
  return 1 / (1 + std::exp(second - first));
}

Box DrawPatch(double share, int64_t height, int64_t width, CounterRandom& random) {
  const double half = std::sqrt(1 - share) / 2;
  const double y = random.Uniform(0, 1), x = random.Uniform(0, 1);
  const auto place = [](double at, int64_t size) {
    return std::clamp<int64_t>(std::lround(at * static_cast<double>(size)), 0, size);
  };
  const int64_t top = place(y - half, height), left = place(x - half, width);
  return {.top = top,
          .left = left,
          .height = place(y + half, height) - top,
          .width = place(x + half, width) - left};
}

std::vector<NamedType> Mixer::MoreFields(int64_t batch_size) {
  return {{std::string(kMixLabel), {DType::kI32, {batch_size}}},
          {std::string(kMixShare), {DType::kF32, {batch_size}}}};
}

void Mixer::operator()(int64_t index, std::vector<NamedTensor>& fields) const {
  HostTensor& images = Find(fields, kImage);
  const Shape& shape = images.shape();
  const int64_t count = shape[0], height = shape[1], width = shape[2], channels = shape[3];
  CounterRandom random(seed_, RandomStream::kMix, static_cast<uint64_t>(index));
  const bool either = random.Uniform(0, 1) < 0.5;
  const bool paste = config_.cutmix > 0 && (config_.mixup == 0 || either);
  double share = DrawBeta(paste ? config_.cutmix : config_.mixup, random);
  Box patch;
  if (paste) {
    patch = DrawPatch(share, height, width, random);
    share = 1 - static_cast<double>(patch.height * patch.width) / static_cast<double>(height * width);
  }

  const std::span<const int32_t> labels = Find(fields, kLabel).data<int32_t>();
  const std::span<int32_t> mix_labels = Find(fields, kMixLabel).mutable_data<int32_t>();
  const std::span<float> shares = Find(fields, kMixShare).mutable_data<float>();
  const auto weight = std::ranges::find(fields, kWeight, &NamedTensor::name);
  const std::span<float> pixels = images.mutable_data<float>();
  const std::span<const float> last_row = RowOf(pixels, count - 1, count);
  const std::vector<float> last(last_row.begin(), last_row.end());
  for (int64_t i = count - 1; i >= 0; --i) {
    const int64_t before = i > 0 ? i - 1 : count - 1;
    const bool readable = weight == fields.end() || weight->tensor.At(before) > 0;
    mix_labels[i] = labels[before];
    shares[i] = readable ? static_cast<float>(share) : 1.0f;
    if (!readable) continue;
    const std::span<float> own = RowOf(pixels, i, count);
    const std::span<const float> other = i > 0 ? RowOf(pixels, before, count) : std::span<const float>(last);
    if (!paste) Blend(own, other, static_cast<float>(share));
    for (int64_t y = patch.top; y < patch.top + patch.height; ++y) {
      const int64_t begin = (y * width + patch.left) * channels;
      std::ranges::copy(other.subspan(begin, patch.width * channels), own.begin() + begin);
    }
  }
}

}  // namespace headrace::data
