// Floats of 16 bits and fewer: decoding, and encoding with rounding to nearest, ties to even.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace headrace {

// What the largest bit patterns mean, by the suffixes of the types' names.
enum class SmallFloatKind {
  kIeee,  // infinity and NaN have an exponent of their own
  kFn,    // finite: only the largest pattern is NaN
  kFnuz,  // finite, and no -0: its pattern is NaN
  kF,     // finite, and no NaN either
};

// As IEEE 754, with fewer bits: a sign, an exponent, a mantissa, subnormals. The bias of the exponent is
// 2^(bits-1) - 1 and what `more_bias` adds.
struct SmallFloat {
  int exponent_bits;
  int mantissa_bits;
  SmallFloatKind kind = SmallFloatKind::kIeee;
  int more_bias = 0;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1 + more_bias; }
  constexpr uint32_t sign_bit() const { return 1u << (exponent_bits + mantissa_bits); }
  // The largest pattern but for the sign.
  constexpr uint32_t all() const { return sign_bit() - 1; }
  // The least pattern, of those that rounding gives, that is too large to be a number.
  constexpr uint32_t limit() const {
    if (kind == SmallFloatKind::kIeee) return all() - ((1u << mantissa_bits) - 1);
    return kind == SmallFloatKind::kFn ? all() : all() + 1;
  }
  // What is too large becomes, and NaN becomes, under a sign.
  constexpr uint32_t overflow(uint32_t sign) const {
    if (kind == SmallFloatKind::kFnuz) return sign_bit();
    return sign | (kind == SmallFloatKind::kF ? all() : limit());
  }
  constexpr uint32_t nan(uint32_t sign) const {
    if (kind == SmallFloatKind::kFnuz || kind == SmallFloatKind::kF) return sign_bit();  // of the latter, -0
    return sign | (kind == SmallFloatKind::kIeee ? limit() | (1u << (mantissa_bits - 1)) : limit());
  }
  constexpr uint32_t zero(uint32_t sign) const { return kind == SmallFloatKind::kFnuz ? 0 : sign; }
};

inline constexpr SmallFloat kFloat16{5, 10};
inline constexpr SmallFloat kBFloat16{8, 7};
inline constexpr SmallFloat kFloat8E3M4{3, 4};
inline constexpr SmallFloat kFloat8E4M3{4, 3};
inline constexpr SmallFloat kFloat8E4M3FN{4, 3, SmallFloatKind::kFn};
inline constexpr SmallFloat kFloat8E4M3FNUZ{4, 3, SmallFloatKind::kFnuz, 1};
inline constexpr SmallFloat kFloat8E4M3B11FNUZ{4, 3, SmallFloatKind::kFnuz, 4};
inline constexpr SmallFloat kFloat8E5M2{5, 2};
inline constexpr SmallFloat kFloat8E5M2FNUZ{5, 2, SmallFloatKind::kFnuz, 1};
inline constexpr SmallFloat kFloat4E2M1FN{2, 1, SmallFloatKind::kF};

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
  if (F.kind == SmallFloatKind::kFnuz && (bits & (F.sign_bit() + F.all())) == F.sign_bit()) {
    wide = 0x7fc00000;
  } else if (magnitude >> F.mantissa_bits == 0) {
    wide = std::bit_cast<uint32_t>(static_cast<float>(magnitude) * kSubnormalStep);
  } else if (magnitude >= F.limit()) {
    wide = magnitude == F.limit() && F.kind == SmallFloatKind::kIeee ? 0x7f800000 : 0x7fc00000;
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
  if (magnitude > uint64_t{0x7ff} << 52) return F.nan(sign);
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent < kLeast - F.mantissa_bits - 1) return F.zero(sign);  // below half of the least subnormal
  const uint64_t significand = (magnitude & ((uint64_t{1} << 52) - 1)) | (uint64_t{1} << 52);
  const int below = exponent < kLeast ? kLeast - exponent : 0;
  const int shift = 52 - F.mantissa_bits + below;
  const uint64_t half = uint64_t{1} << (shift - 1);
  // Adding just under a half, or a half where the result would be odd, carries exactly when it must round up.
  const uint64_t rounded = (significand + half - 1 + ((significand >> shift) & 1)) >> shift;
  // The leading one of a normal number adds 1 to the exponent field, as does a carry out of the mantissa.
  const auto steps = static_cast<uint32_t>(exponent - kLeast + below);
  const uint32_t bits = static_cast<uint32_t>(rounded) + (steps << F.mantissa_bits);
  if (bits >= F.limit()) return F.overflow(sign);
  return bits == 0 ? F.zero(sign) : sign | bits;
}

// The same from an f32, which for bf16 is rounding away its lower half.
template <SmallFloat F>
uint32_t EncodeSmallFloat(float value) {
  if constexpr (F.exponent_bits != 8) return EncodeSmallFloat<F>(static_cast<double>(value));
  const auto wide = std::bit_cast<uint32_t>(value);
  const uint32_t nan = F.nan(wide >> 31 << 15);
  return std::isnan(value) ? nan : (wide + 0x7fff + (wide >> 16 & 1)) >> 16;
}

// f8e8m0fnu, which is all exponent: 2^(bits - 127), or NaN.
inline float DecodePowerOfTwo(uint32_t bits) {
  return bits == 0xff ? std::numeric_limits<float>::quiet_NaN()
                      : std::ldexp(1.0f, static_cast<int>(bits) - 127);
}

// The nearest power; half-way the larger one. What is not positive is NaN. Below 2^-126 the least power,
// 2^-127, counts as nothing, so that all above it goes up: ml_dtypes and XLA have it so.
inline uint32_t EncodePowerOfTwo(double value) {
  if (!(value > 0) || std::isinf(value)) return 0xff;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // of [1/2, 1)
  if (value < 0x1p-126) return value > 0x1p-127 ? 1 : 0;
  const int bits = exponent - 1 + (fraction >= 0.75 ? 1 : 0) + 127;
  return bits > 0xfe ? 0xff : static_cast<uint32_t>(bits);
}

}  // namespace headrace
