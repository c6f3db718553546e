// Element<D>: how one real element of DType D lies in memory, and how it becomes a number and comes from one.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "headrace/core/check.h"
#include "headrace/tensor/dtype.h"
#include "headrace/tensor/internal/small_float.h"

namespace headrace {

// Truncates towards zero; what does not fit becomes the nearest that does, NaN becomes 0 (as XLA converts).
template <std::integral To, std::floating_point From>
To TruncateToInteger(From value) {
  if (std::isnan(value)) return 0;
  constexpr To kLowest = std::numeric_limits<To>::lowest();
  constexpr To kHighest = std::numeric_limits<To>::max();
  if (value <= static_cast<From>(kLowest)) return kLowest;
  if (value >= static_cast<From>(kHighest)) return kHighest;
  return static_cast<To>(value);
}

// Numbers of C++: bool, integers, float and double. Integers wrap around among themselves.
template <class T>
struct NumberElement {
  using Stored = T;
  static T Widen(T stored) { return stored; }
  template <class From>
  static T Narrow(From value) {
    if constexpr (std::same_as<T, bool>) {
      return value != 0;
    } else if constexpr (std::integral<T> && std::floating_point<From>) {
      return TruncateToInteger<T>(value);
    } else {
      return static_cast<T>(value);
    }
  }
};

template <class Bits, SmallFloat F>
struct SmallFloatElement {
  using Stored = Bits;
  static float Widen(Bits stored) { return DecodeSmallFloat<F>(stored); }
  template <class From>
  static Bits Narrow(From value) {
    using Wide = std::conditional_t<std::same_as<From, float>, float, double>;
    return static_cast<Bits>(EncodeSmallFloat<F>(static_cast<Wide>(value)));
  }
};

struct PowerOfTwoElement {
  using Stored = uint8_t;
  static float Widen(uint8_t stored) { return DecodePowerOfTwo(stored); }
  template <class From>
  static uint8_t Narrow(From value) {
    return static_cast<uint8_t>(EncodePowerOfTwo(static_cast<double>(value)));
  }
};

// Integers of less than a byte, in its lowest bits.
template <int Bits, std::integral Byte>
struct SmallIntegerElement {
  using Stored = uint8_t;
  static constexpr int kUnused = 8 - Bits;
  static Byte Widen(uint8_t stored) {
    return static_cast<Byte>(static_cast<Byte>(static_cast<uint8_t>(stored << kUnused)) >> kUnused);
  }
  template <class From>
  static uint8_t Narrow(From value) {
    constexpr Byte kHighest = std::numeric_limits<Byte>::max() >> kUnused;
    constexpr Byte kLowest = std::is_signed_v<Byte> ? -kHighest - 1 : 0;
    constexpr unsigned kMask = (1u << Bits) - 1;
    Byte byte = NumberElement<Byte>::Narrow(value);
    if constexpr (std::floating_point<From>) byte = std::clamp(byte, kLowest, kHighest);
    return static_cast<uint8_t>(byte) & kMask;
  }
};

// Calls `use` with the Element type of `dtype`, and returns what it returns. REQUIRES: !IsComplex(dtype)
template <class Use>
decltype(auto) WithElement(DType dtype, Use use) {
  switch (dtype) {
    case DType::kPred:
      return use(NumberElement<bool>());
    case DType::kI2:
      return use(SmallIntegerElement<2, int8_t>());
    case DType::kI4:
      return use(SmallIntegerElement<4, int8_t>());
    case DType::kI8:
      return use(NumberElement<int8_t>());
    case DType::kI16:
      return use(NumberElement<int16_t>());
    case DType::kI32:
      return use(NumberElement<int32_t>());
    case DType::kI64:
      return use(NumberElement<int64_t>());
    case DType::kU2:
      return use(SmallIntegerElement<2, uint8_t>());
    case DType::kU4:
      return use(SmallIntegerElement<4, uint8_t>());
    case DType::kU8:
      return use(NumberElement<uint8_t>());
    case DType::kU16:
      return use(NumberElement<uint16_t>());
    case DType::kU32:
      return use(NumberElement<uint32_t>());
    case DType::kU64:
      return use(NumberElement<uint64_t>());
    case DType::kF4E2M1FN:
      return use(SmallFloatElement<uint8_t, kFloat4E2M1FN>());
    case DType::kF8E3M4:
      return use(SmallFloatElement<uint8_t, kFloat8E3M4>());
    case DType::kF8E4M3:
      return use(SmallFloatElement<uint8_t, kFloat8E4M3>());
    case DType::kF8E4M3FN:
      return use(SmallFloatElement<uint8_t, kFloat8E4M3FN>());
    case DType::kF8E4M3FNUZ:
      return use(SmallFloatElement<uint8_t, kFloat8E4M3FNUZ>());
    case DType::kF8E4M3B11FNUZ:
      return use(SmallFloatElement<uint8_t, kFloat8E4M3B11FNUZ>());
    case DType::kF8E5M2:
      return use(SmallFloatElement<uint8_t, kFloat8E5M2>());
    case DType::kF8E5M2FNUZ:
      return use(SmallFloatElement<uint8_t, kFloat8E5M2FNUZ>());
    case DType::kF8E8M0FNU:
      return use(PowerOfTwoElement());
    case DType::kF16:
      return use(SmallFloatElement<uint16_t, kFloat16>());
    case DType::kBF16:
      return use(SmallFloatElement<uint16_t, kBFloat16>());
    case DType::kF32:
      return use(NumberElement<float>());
    case DType::kF64:
      return use(NumberElement<double>());
    case DType::kC64:
    case DType::kC128:
      break;
  }
  HR_CHECK(!IsComplex(dtype));
  std::unreachable();
}

}  // namespace headrace
