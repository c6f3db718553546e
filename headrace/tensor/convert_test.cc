#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <limits>

#include "headrace/tensor/host_tensor.h"
#include "headrace/tensor/npz.h"
#include "headrace/tensor/test/testdata.h"

namespace headrace {
namespace {

using testing::ElementsAre;

constexpr DType kSmallFloats[] = {
    DType::kF16,        DType::kBF16,       DType::kF8E3M4,        DType::kF8E4M3,
    DType::kF8E4M3FN,   DType::kF8E4M3FNUZ, DType::kF8E4M3B11FNUZ, DType::kF8E5M2,
    DType::kF8E5M2FNUZ, DType::kF8E8M0FNU,  DType::kF4E2M1FN,
};

// Those that hold 0 and 1.
constexpr DType kReal[] = {
    DType::kPred,       DType::kI2,       DType::kI4,         DType::kI8,
    DType::kI16,        DType::kI32,      DType::kI64,        DType::kU2,
    DType::kU4,         DType::kU8,       DType::kU16,        DType::kU32,
    DType::kU64,        DType::kF16,      DType::kBF16,       DType::kF8E3M4,
    DType::kF8E4M3,     DType::kF8E4M3FN, DType::kF8E5M2,     DType::kF4E2M1FN,
    DType::kF32,        DType::kF64,      DType::kF8E4M3FNUZ, DType::kF8E4M3B11FNUZ,
    DType::kF8E5M2FNUZ,
};

// What ml_dtypes and numpy made of all patterns, and of inputs around every kind of rounding; see
// tools/reference/tensor_testdata.py.
class SmallFloats : public testing::TestWithParam<DType> {
 protected:
  HostTensor Table(const std::string& name) { return Find(tables_, name); }

  // The bytes of `tensor` as the unsigned integers of its width.
  static std::vector<double> Bits(const HostTensor& tensor) {
    const DType bits = ByteSize(tensor.dtype()) == 1 ? DType::kU8 : DType::kU16;
    return Values(HostTensor::CopyOf({bits, tensor.shape()}, tensor.bytes()));
  }

  // Every pattern of the type, in order.
  static HostTensor AllPatterns(DType dtype) {
    const int64_t count = int64_t{1} << BitWidth(dtype);
    HostTensor bits({ByteSize(dtype) == 1 ? DType::kU8 : DType::kU16, {count}});
    for (int64_t i = 0; i < count; ++i) bits.Set(i, static_cast<double>(i));
    return HostTensor::CopyOf({dtype, {count}}, bits.bytes());
  }

 private:
  std::vector<NamedTensor> tables_ = *DecodeNpz(AsBytes(ReadTestdata("small_floats.npz")));
};

TEST_P(SmallFloats, DecodeEveryPattern) {
  const HostTensor patterns = AllPatterns(GetParam());
  const HostTensor decoded = patterns.ConvertTo(DType::kF32);
  for (int64_t i = 0; i < patterns.size(); ++i) {
    const double value = GetParam() == DType::kBF16 ? std::bit_cast<float>(static_cast<uint32_t>(i) << 16)
                                                    : Table(std::string(Name(GetParam())) + "_values").At(i);
    for (double ours : {decoded.At(i), patterns.At(i)}) {
      ASSERT_TRUE(ours == value || (std::isnan(ours) && std::isnan(value)))
          << i << ": " << ours << " not " << value;
      ASSERT_TRUE(std::isnan(value) || std::signbit(ours) == std::signbit(value)) << i;
    }
  }
}

TEST_P(SmallFloats, EveryPatternComesBack) {
  const HostTensor patterns = AllPatterns(GetParam());
  const std::vector<double> before = Bits(patterns);
  for (DType wide : {DType::kF32, DType::kF64}) {
    const std::vector<double> after = Bits(patterns.ConvertTo(wide).ConvertTo(GetParam()));
    for (size_t i = 0; i < before.size(); ++i) {
      if (std::isnan(patterns.At(static_cast<int64_t>(i)))) continue;
      ASSERT_EQ(after[i], before[i]);
    }
  }
}

TEST_P(SmallFloats, RoundAsMlDtypesDoes) {
  const HostTensor inputs = Table("inputs");
  const HostTensor encoded = inputs.ConvertTo(GetParam());
  const std::vector<double> ours = Bits(encoded);
  const HostTensor theirs = Table(std::string(Name(GetParam())) + "_bits");
  HostTensor one({GetParam(), {}});
  ASSERT_GT(inputs.size(), 5000);
  for (int64_t i = 0; i < inputs.size(); ++i) {
    if (std::isnan(inputs.At(i))) {
      // What knows no NaN has -0 for it.
      ASSERT_TRUE(std::isnan(encoded.At(i)) ||
                  (GetParam() == DType::kF4E2M1FN && ours[static_cast<size_t>(i)] == 8));
      continue;
    }
    ASSERT_EQ(ours[static_cast<size_t>(i)], theirs.At(i)) << inputs.At(i);
    one.Set(0, inputs.At(i));
    ASSERT_EQ(Bits(one)[0], theirs.At(i)) << inputs.At(i);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SmallFloats, testing::ValuesIn(kSmallFloats),
                         [](const auto& info) { return std::string(Name(info.param)); });

TEST(SmallFloat, F64IsRoundedOnce) {
  // Rounded to f32 first, this is the tie between 1 and the next bf16, and would become 1.
  HostTensor x = HostTensor::Scalar<double>(1 + 0x1p-8 + 0x1p-40);
  EXPECT_EQ(x.ConvertTo(DType::kBF16).At(0), 1 + 0x1p-7);
  EXPECT_EQ(HostTensor::Scalar<double>(0x1p-25 + 0x1p-60).ConvertTo(DType::kF16).At(0), 0x1p-24);
}

TEST(ConvertTo, EveryPairKeepsSmallNumbers) {
  const HostTensor values = HostTensor::Of<int32_t>({2, 3}, {0, 1, 1, 0, 1, 0});
  for (DType from : kReal) {
    for (DType to : kReal) {
      const HostTensor converted = values.ConvertTo(from).ConvertTo(to);
      EXPECT_EQ(converted.type(), (TensorType{to, {2, 3}}));
      EXPECT_EQ(Values(converted), Values(values)) << Name(from) << " to " << Name(to);
    }
  }
}

TEST(ConvertTo, TheSameTypeSharesTheBytes) {
  const HostTensor x = HostTensor::Of<float>({1}, {1});
  EXPECT_EQ(x.ConvertTo(DType::kF32).bytes().data(), x.bytes().data());
}

TEST(ConvertTo, IntegersOf64BitsKeepEveryBit) {
  const int64_t big = (int64_t{1} << 62) + 1;
  EXPECT_EQ(HostTensor::Scalar<int64_t>(big).ConvertTo(DType::kU64).data<uint64_t>()[0],
            static_cast<uint64_t>(big));
  EXPECT_EQ(HostTensor::Scalar<uint64_t>(~uint64_t{0}).ConvertTo(DType::kI64).data<int64_t>()[0], -1);
  // One rounding from 64 bits to f32: through f64 this would be the tie, and go down.
  const int64_t above_tie = (int64_t{1} << 60) + (int64_t{1} << 36) + 1;
  EXPECT_EQ(HostTensor::Scalar<int64_t>(above_tie).ConvertTo(DType::kF32).At(0), 0x1p60 + 0x1p37);
}

TEST(ConvertTo, IntegersWrapAndFloatsSaturate) {
  EXPECT_THAT(HostTensor::Of<int32_t>({3}, {256, -1, 300}).ConvertTo(DType::kU8).data<uint8_t>(),
              ElementsAre(0, 255, 44));
  EXPECT_THAT(HostTensor::Of<float>({3}, {256, -1, 3.9f}).ConvertTo(DType::kU8).data<uint8_t>(),
              ElementsAre(255, 0, 3));
  EXPECT_THAT(
      HostTensor::Of<float>({2}, {2147483648.f, -2147483904.f}).ConvertTo(DType::kI32).data<int32_t>(),
      ElementsAre(std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()));
}

TEST(ConvertTo, IntegersOfLessThanAByteDoSoToo) {
  const HostTensor integers = HostTensor::Of<int32_t>({6}, {7, 8, 15, 16, -1, -9});
  EXPECT_THAT(Values(integers.ConvertTo(DType::kI4)), ElementsAre(7, -8, -1, 0, -1, 7));
  EXPECT_THAT(Values(integers.ConvertTo(DType::kU4)), ElementsAre(7, 8, 15, 0, 15, 7));
  EXPECT_THAT(Values(integers.ConvertTo(DType::kI2)), ElementsAre(-1, 0, -1, 0, -1, -1));
  EXPECT_THAT(Values(integers.ConvertTo(DType::kU2)), ElementsAre(3, 0, 3, 0, 3, 3));
  const HostTensor floats = HostTensor::Of<float>({4}, {7.9f, 20, -8.5f, NAN});
  EXPECT_THAT(Values(floats.ConvertTo(DType::kI4)), ElementsAre(7, 7, -8, 0));
  EXPECT_THAT(Values(floats.ConvertTo(DType::kU2)), ElementsAre(3, 3, 0, 0));
  EXPECT_THAT(floats.ConvertTo(DType::kI4).bytes(),
              ElementsAre(std::byte{7}, std::byte{7}, std::byte{8}, std::byte{0}));
}

// Whatever the bits are that do not count.
TEST(ConvertTo, ReadsTheLowestBits) {
  const HostTensor bytes = HostTensor::Of<uint8_t>({2}, {0xf8, 0x7});
  EXPECT_THAT(Values(HostTensor::CopyOf({DType::kI4, {2}}, bytes.bytes())), ElementsAre(-8, 7));
  EXPECT_THAT(Values(HostTensor::CopyOf({DType::kF4E2M1FN, {2}}, bytes.bytes())), ElementsAre(0, 6));
}

TEST(ConvertTo, ComplexKeepsBothPartsAmongItself) {
  using Float = std::complex<float>;
  using Double = std::complex<double>;
  const HostTensor x = HostTensor::Of<Float>({2}, {{1, 2}, {3, 4}});
  EXPECT_THAT(x.ConvertTo(DType::kC128).data<Double>(), ElementsAre(Double(1, 2), Double(3, 4)));
  EXPECT_THAT(x.ConvertTo(DType::kI32).data<int32_t>(), ElementsAre(1, 3));
  EXPECT_THAT(HostTensor::Of<int8_t>({2}, {5, 6}).ConvertTo(DType::kC64).data<Float>(), ElementsAre(5, 6));
}

}  // namespace
}  // namespace headrace
