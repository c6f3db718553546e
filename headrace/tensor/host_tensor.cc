#include "headrace/tensor/host_tensor.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

namespace headrace {
namespace {

constexpr size_t kAlignment = 64;

// The small float formats: sign, exponent, mantissa bits, exponent bias, and whether the top exponent means
// infinity.
struct SmallFloat {
  int exponent_bits;
  int mantissa_bits;
  bool has_infinity;
};

SmallFloat FormatOf(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return {5, 10, true};
    case DType::kBF16:
      return {8, 7, true};
    case DType::kF8E5M2:
      return {5, 2, true};
    default:
      return {4, 3, false};  // kF8E4M3FN: no infinity, one NaN
  }
}

double DecodeSmallFloat(uint32_t bits, SmallFloat f) {
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const uint32_t mantissa_mask = (1u << f.mantissa_bits) - 1;
  const uint32_t exponent_mask = (1u << f.exponent_bits) - 1;
  const uint32_t mantissa = bits & mantissa_mask;
  const uint32_t exponent = (bits >> f.mantissa_bits) & exponent_mask;
  const double sign = (bits >> (f.mantissa_bits + f.exponent_bits)) & 1 ? -1.0 : 1.0;
  if (exponent == exponent_mask) {
    if (f.has_infinity) {
      return mantissa == 0 ? sign * std::numeric_limits<double>::infinity()
                           : std::numeric_limits<double>::quiet_NaN();
    }
    if (mantissa == mantissa_mask) return std::numeric_limits<double>::quiet_NaN();
  }
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - f.mantissa_bits);
  return sign *
         std::ldexp(mantissa + (mantissa_mask + 1), static_cast<int>(exponent) - bias - f.mantissa_bits);
}

// Round to nearest, ties to even; overflow becomes infinity, or NaN where the format has none.
uint32_t EncodeSmallFloat(double value, SmallFloat f) {
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const uint32_t exponent_mask = (1u << f.exponent_bits) - 1;
  const uint32_t mantissa_mask = (1u << f.mantissa_bits) - 1;
  const uint32_t sign = std::signbit(value) ? 1u << (f.mantissa_bits + f.exponent_bits) : 0;
  const uint32_t nan =
      (exponent_mask << f.mantissa_bits) | (f.has_infinity ? 1u << (f.mantissa_bits - 1) : mantissa_mask);
  const uint32_t overflow = f.has_infinity ? exponent_mask << f.mantissa_bits : nan;
  if (std::isnan(value)) return sign | nan;
  if (std::isinf(value)) return sign | overflow;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  // The grid that `magnitude` falls on: mantissa steps of its binade, not below the subnormal step.
  const int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  const double steps = std::nearbyint(std::ldexp(magnitude, f.mantissa_bits - exponent));
  auto bits = static_cast<uint32_t>(steps);
  if (bits > mantissa_mask) bits += static_cast<uint32_t>(exponent + bias - 1) << f.mantissa_bits;
  const uint32_t largest = f.has_infinity ? overflow - 1 : nan - 1;
  return sign | (bits > largest ? overflow : bits);
}

template <class T>
T Load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

template <class T>
void Store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

}  // namespace

HostTensor::HostTensor(TensorType type) : type_(std::move(type)) {
  const auto size = static_cast<size_t>(type_.ByteCount());
  auto* memory = static_cast<std::byte*>(::operator new(size, std::align_val_t(kAlignment)));
  own_.reset(memory, [](std::byte* p) { ::operator delete(p, std::align_val_t(kAlignment)); });
  std::memset(memory, 0, size);
  bytes_ = {memory, size};
}

HostTensor::HostTensor(TensorType type, std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
    : type_(std::move(type)), owner_(std::move(owner)), bytes_(bytes) {
  HR_CHECK(static_cast<int64_t>(bytes.size()) == type_.ByteCount());
}

std::span<std::byte> HostTensor::mutable_bytes() {
  HR_CHECK(own_ != nullptr && own_.use_count() == 1);
  return {own_.get(), bytes_.size()};
}

double HostTensor::At(int64_t i) const {
  HR_CHECK(i >= 0 && i < size());
  const std::byte* at = bytes_.data() + i * ByteSize(dtype());
  switch (dtype()) {
    case DType::kPred:
      return Load<uint8_t>(at) != 0;
    case DType::kI8:
      return Load<int8_t>(at);
    case DType::kI16:
      return Load<int16_t>(at);
    case DType::kI32:
      return Load<int32_t>(at);
    case DType::kI64:
      return static_cast<double>(Load<int64_t>(at));
    case DType::kU8:
      return Load<uint8_t>(at);
    case DType::kU16:
      return Load<uint16_t>(at);
    case DType::kU32:
      return Load<uint32_t>(at);
    case DType::kU64:
      return static_cast<double>(Load<uint64_t>(at));
    case DType::kF8E4M3FN:
    case DType::kF8E5M2:
      return DecodeSmallFloat(Load<uint8_t>(at), FormatOf(dtype()));
    case DType::kF16:
    case DType::kBF16:
      return DecodeSmallFloat(Load<uint16_t>(at), FormatOf(dtype()));
    case DType::kF32:
    case DType::kC64:
      return Load<float>(at);
    case DType::kF64:
    case DType::kC128:
      return Load<double>(at);
  }
  return 0;
}

void HostTensor::Set(int64_t i, double value) {
  HR_CHECK(i >= 0 && i < size());
  std::byte* at = mutable_bytes().data() + i * ByteSize(dtype());
  switch (dtype()) {
    case DType::kPred:
      return Store<uint8_t>(at, value != 0);
    case DType::kI8:
      return Store(at, static_cast<int8_t>(value));
    case DType::kI16:
      return Store(at, static_cast<int16_t>(value));
    case DType::kI32:
      return Store(at, static_cast<int32_t>(value));
    case DType::kI64:
      return Store(at, static_cast<int64_t>(value));
    case DType::kU8:
      return Store(at, static_cast<uint8_t>(value));
    case DType::kU16:
      return Store(at, static_cast<uint16_t>(value));
    case DType::kU32:
      return Store(at, static_cast<uint32_t>(value));
    case DType::kU64:
      return Store(at, static_cast<uint64_t>(value));
    case DType::kF8E4M3FN:
    case DType::kF8E5M2:
      return Store(at, static_cast<uint8_t>(EncodeSmallFloat(value, FormatOf(dtype()))));
    case DType::kF16:
    case DType::kBF16:
      return Store(at, static_cast<uint16_t>(EncodeSmallFloat(value, FormatOf(dtype()))));
    case DType::kF32:
      return Store(at, static_cast<float>(value));
    case DType::kC64:
      return Store(at, std::pair<float, float>(static_cast<float>(value), 0));
    case DType::kF64:
      return Store(at, value);
    case DType::kC128:
      return Store(at, std::pair<double, double>(value, 0));
  }
}

HostTensor HostTensor::ConvertTo(DType dtype) const {
  if (dtype == this->dtype()) return *this;
  HostTensor out({dtype, shape()});
  for (int64_t i = 0; i < size(); ++i) out.Set(i, At(i));
  return out;
}

HostTensor HostTensor::Reshaped(Shape shape) const {
  HR_CHECK(shape.ElementCount() == size());
  HostTensor out = *this;
  out.type_.shape = std::move(shape);
  return out;
}

}  // namespace headrace
