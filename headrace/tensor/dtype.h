// DType: the element types of StableHLO that Headrace knows, and what is true of each.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string_view>

namespace headrace {

enum class DType : uint8_t {
  kPred,
  kI2,
  kI4,
  kI8,
  kI16,
  kI32,
  kI64,
  kU2,
  kU4,
  kU8,
  kU16,
  kU32,
  kU64,
  kF4E2M1FN,
  kF8E3M4,
  kF8E4M3,
  kF8E4M3FN,
  kF8E4M3FNUZ,
  kF8E4M3B11FNUZ,
  kF8E5M2,
  kF8E5M2FNUZ,
  kF8E8M0FNU,
  kF16,
  kBF16,
  kF32,
  kF64,
  kC64,
  kC128,
};

// Width of one element in memory, in bytes. Those of less than 8 bits have a byte each, in its lowest bits.
int ByteSize(DType dtype);

// How many bits of it count: 4 for kI4, 8 for kPred.
int BitWidth(DType dtype);

// The name that users, configs and messages use: "f32", "pred", "bf16".
std::string_view Name(DType dtype);

// The name in StableHLO text: "f32", "i1", "ui8", "complex<f32>".
std::string_view MlirName(DType dtype);

// Reads Name() back, and numpy's names beside it ("float32", "bool"); nothing for anything else.
std::optional<DType> ParseDType(std::string_view name);

bool IsFloat(DType dtype);

// Of floats: the largest number, and whether there is an infinity beyond it.
double LargestFinite(DType dtype);
bool HasInfinity(DType dtype);

bool IsComplex(DType dtype);
bool IsSigned(DType dtype);    // signed integers
bool IsUnsigned(DType dtype);  // unsigned integers
inline bool IsInteger(DType dtype) { return IsSigned(dtype) || IsUnsigned(dtype); }
// What gradients are of: floating-point and complex.
inline bool IsInexact(DType dtype) { return IsFloat(dtype) || IsComplex(dtype); }

// What each of the two parts of a complex number is; other types are themselves.
inline DType PartOf(DType dtype) {
  if (dtype == DType::kC64) return DType::kF32;
  return dtype == DType::kC128 ? DType::kF64 : dtype;
}
// The complex type with such parts. REQUIRES: f32 or f64
inline DType ComplexOf(DType dtype) { return dtype == DType::kF64 ? DType::kC128 : DType::kC64; }

// DTypeOf<float> and so on: the DType of a C++ number; bool is kPred.
template <class T>
constexpr DType DTypeOf();
template <>
constexpr DType DTypeOf<bool>() {
  return DType::kPred;
}
template <>
constexpr DType DTypeOf<int8_t>() {
  return DType::kI8;
}
template <>
constexpr DType DTypeOf<int16_t>() {
  return DType::kI16;
}
template <>
constexpr DType DTypeOf<int32_t>() {
  return DType::kI32;
}
template <>
constexpr DType DTypeOf<int64_t>() {
  return DType::kI64;
}
template <>
constexpr DType DTypeOf<uint8_t>() {
  return DType::kU8;
}
template <>
constexpr DType DTypeOf<uint16_t>() {
  return DType::kU16;
}
template <>
constexpr DType DTypeOf<uint32_t>() {
  return DType::kU32;
}
template <>
constexpr DType DTypeOf<uint64_t>() {
  return DType::kU64;
}
template <>
constexpr DType DTypeOf<float>() {
  return DType::kF32;
}
template <>
constexpr DType DTypeOf<double>() {
  return DType::kF64;
}
template <>
constexpr DType DTypeOf<std::complex<float>>() {
  return DType::kC64;
}
template <>
constexpr DType DTypeOf<std::complex<double>>() {
  return DType::kC128;
}

}  // namespace headrace
