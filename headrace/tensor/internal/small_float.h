// Floats of 16 bits and fewer: decoding, and encoding with rounding to nearest, ties to even.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace headrace {

// IEEE 754 with fewer bits: a sign, an exponent with the bias 2^(bits-1) - 1, a mantissa, subnormals. Without
// infinity, all exponents are numbers and only the largest bit pattern is NaN (the "FN" of f8e4m3fn).
struct SmallFloat {
  int exponent_bits;
  int mantissa_bits;
  bool has_infinity;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr uint32_t sign_bit() const { return 1u << (exponent_bits + mantissa_bits); }
  // The pattern of what is too large: infinity, or else NaN.
  constexpr uint32_t overflow() const {
    const uint32_t all = sign_bit() - 1;
    return has_infinity ? all - ((1u << mantissa_bits) - 1) : all;
  }
  constexpr uint32_t nan() const {
    return has_infinity ? overflow() | (1u << (mantissa_bits - 1)) : overflow();
  }
};

inline constexpr SmallFloat kFloat16{5, 10, true};
inline constexpr SmallFloat kBFloat16{8, 7, true};
inline constexpr SmallFloat kFloat8E5M2{5, 2, true};
inline constexpr SmallFloat kFloat8E4M3FN{4, 3, false};

// The value of `bits`; exact.
template <SmallFloat F>
float DecodeSmallFloat(uint32_t bits) {
  constexpr int kWiden = 23 - F.mantissa_bits;
  if constexpr (F.exponent_bits == 8)
    return std::bit_cast<float>(bits << kWiden);  // the upper half of an f32
  constexpr int kRebias = 127 - F.bias();
  constexpr float kSubnormalStep =
      std::bit_cast<float>(static_cast<uint32_t>(kRebias + 1 - F.mantissa_bits) << 23);
  const uint32_t sign = (bits & F.sign_bit()) << (31 - F.exponent_bits - F.mantissa_bits);
  const uint32_t magnitude = bits & (F.sign_bit() - 1);
  uint32_t wide = (magnitude << kWiden) + (static_cast<uint32_t>(kRebias) << 23);
  if (magnitude >> F.mantissa_bits == 0) {
    wide = std::bit_cast<uint32_t>(static_cast<float>(magnitude) * kSubnormalStep);
  } else if (magnitude >= F.overflow()) {
    wide = magnitude == F.overflow() && F.has_infinity ? 0x7f800000 : 0x7fc00000;
  }
  return std::bit_cast<float>(sign | wide);
}

// The pattern nearest to `value`; of two equally near the even one.
template <SmallFloat F>
uint32_t EncodeSmallFloat(double value) {
  constexpr int kLeast = 1 - F.bias();  // the exponent of the least normal number, and of the subnormals
  const auto wide = std::bit_cast<uint64_t>(value);
  const uint32_t sign = wide >> 63 != 0 ? F.sign_bit() : 0;
  const uint64_t magnitude = wide & ~(uint64_t{1} << 63);
  if (magnitude > uint64_t{0x7ff} << 52) return sign | F.nan();
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent < kLeast - F.mantissa_bits - 1) return sign;  // below half of the least subnormal
  const uint64_t significand = (magnitude & ((uint64_t{1} << 52) - 1)) | (uint64_t{1} << 52);
  const int below = exponent < kLeast ? kLeast - exponent : 0;
  const int shift = 52 - F.mantissa_bits + below;
  const uint64_t half = uint64_t{1} << (shift - 1);
  // Adding just under a half, or a half where the result would be odd, carries exactly when it must round up.
  const uint64_t rounded = (significand + half - 1 + ((significand >> shift) & 1)) >> shift;
  // The leading one of a normal number adds 1 to the exponent field, as does a carry out of the mantissa.
  const auto steps = static_cast<uint32_t>(exponent - kLeast + below);
  const uint32_t bits = static_cast<uint32_t>(rounded) + (steps << F.mantissa_bits);
  return sign | (bits >= F.overflow() ? F.overflow() : bits);
}

// The same from an f32, which for bf16 is rounding away its lower half.
template <SmallFloat F>
uint32_t EncodeSmallFloat(float value) {
  if constexpr (F.exponent_bits != 8) return EncodeSmallFloat<F>(static_cast<double>(value));
  const auto wide = std::bit_cast<uint32_t>(value);
  const uint32_t nan = wide >> 31 << 15 | F.nan();
  return std::isnan(value) ? nan : (wide + 0x7fff + (wide >> 16 & 1)) >> 16;
}

}  // namespace headrace
