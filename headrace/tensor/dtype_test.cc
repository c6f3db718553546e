#include "headrace/tensor/dtype.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <limits>

#include "headrace/tensor/host_tensor.h"

namespace headrace {
namespace {

constexpr std::array kAll = {
    DType::kPred,
    DType::kI2,
    DType::kI4,
    DType::kI8,
    DType::kI16,
    DType::kI32,
    DType::kI64,
    DType::kU2,
    DType::kU4,
    DType::kU8,
    DType::kU16,
    DType::kU32,
    DType::kU64,
    DType::kF4E2M1FN,
    DType::kF8E3M4,
    DType::kF8E4M3,
    DType::kF8E4M3FN,
    DType::kF8E4M3FNUZ,
    DType::kF8E4M3B11FNUZ,
    DType::kF8E5M2,
    DType::kF8E5M2FNUZ,
    DType::kF8E8M0FNU,
    DType::kF16,
    DType::kBF16,
    DType::kF32,
    DType::kF64,
    DType::kC64,
    DType::kC128,
};

TEST(DType, NamesAreReadBack) {
  for (DType dtype : kAll) EXPECT_EQ(ParseDType(Name(dtype)), dtype) << Name(dtype);
  EXPECT_EQ(ParseDType("float32"), DType::kF32);
  EXPECT_EQ(ParseDType("bool"), DType::kPred);
  EXPECT_EQ(ParseDType("bfloat16"), DType::kBF16);
  for (const char* unknown : {"", "f31", "F32", "half", "f32 "}) EXPECT_FALSE(ParseDType(unknown)) << unknown;
}

TEST(DType, MlirNamesAreThoseOfStableHlo) {
  EXPECT_EQ(MlirName(DType::kPred), "i1");
  EXPECT_EQ(MlirName(DType::kU8), "ui8");
  EXPECT_EQ(MlirName(DType::kI64), "i64");
  EXPECT_EQ(MlirName(DType::kF8E4M3FN), "f8E4M3FN");
  EXPECT_EQ(MlirName(DType::kC128), "complex<f64>");
}

TEST(DType, EachIsOfOneKind) {
  for (DType dtype : kAll) {
    const int kinds =
        (dtype == DType::kPred) + IsSigned(dtype) + IsUnsigned(dtype) + IsFloat(dtype) + IsComplex(dtype);
    EXPECT_EQ(kinds, 1) << Name(dtype);
    EXPECT_EQ(IsInteger(dtype), IsSigned(dtype) || IsUnsigned(dtype)) << Name(dtype);
  }
  EXPECT_TRUE(IsSigned(DType::kI8) && IsUnsigned(DType::kU64) && IsFloat(DType::kF8E5M2) &&
              IsComplex(DType::kC64));
}

template <class T>
void ExpectDType(DType dtype) {
  EXPECT_EQ(DTypeOf<T>(), dtype);
  EXPECT_EQ(ByteSize(dtype), static_cast<int>(sizeof(T))) << Name(dtype);
}

TEST(DType, MatchTheTypesOfCpp) {
  ExpectDType<bool>(DType::kPred);
  ExpectDType<int8_t>(DType::kI8);
  ExpectDType<int16_t>(DType::kI16);
  ExpectDType<int32_t>(DType::kI32);
  ExpectDType<int64_t>(DType::kI64);
  ExpectDType<uint8_t>(DType::kU8);
  ExpectDType<uint16_t>(DType::kU16);
  ExpectDType<uint32_t>(DType::kU32);
  ExpectDType<uint64_t>(DType::kU64);
  ExpectDType<float>(DType::kF32);
  ExpectDType<double>(DType::kF64);
  ExpectDType<std::complex<float>>(DType::kC64);
  ExpectDType<std::complex<double>>(DType::kC128);
}

TEST(DType, SmallOnesHaveTheirWidths) {
  for (DType dtype : {DType::kF8E4M3FN, DType::kF8E5M2, DType::kF8E8M0FNU, DType::kPred}) {
    EXPECT_EQ(ByteSize(dtype), 1) << Name(dtype);
    EXPECT_EQ(BitWidth(dtype), 8) << Name(dtype);
  }
  EXPECT_EQ(ByteSize(DType::kF16), 2);
  EXPECT_EQ(BitWidth(DType::kBF16), 16);
  // Packed for no one: a byte for each.
  for (DType dtype : {DType::kI4, DType::kU2, DType::kF4E2M1FN}) EXPECT_EQ(ByteSize(dtype), 1) << Name(dtype);
  EXPECT_EQ(BitWidth(DType::kU4), 4);
  EXPECT_EQ(BitWidth(DType::kI2), 2);
  EXPECT_EQ(BitWidth(DType::kF4E2M1FN), 4);
}

// The largest number is held, and rounding leads back to it; beyond it lies what there is.
TEST(DType, KnowTheirLargestNumbers) {
  for (DType dtype : kAll) {
    if (!IsFloat(dtype)) continue;
    const double largest = LargestFinite(dtype);
    HostTensor number({dtype, {}});
    number.Set(0, largest);
    EXPECT_EQ(number.At(0), largest) << Name(dtype);
    number.Set(0, std::numeric_limits<double>::infinity());
    EXPECT_EQ(std::isinf(number.At(0)), HasInfinity(dtype)) << Name(dtype);
  }
}

}  // namespace
}  // namespace headrace
