#include "headrace/tensor/host_tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

#include "headrace/tensor/test/testdata.h"

namespace headrace {
namespace {

using testing::ElementsAre;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(HostTensor, IsAZeroScalarByDefault) {
  const HostTensor tensor;
  EXPECT_EQ(tensor.type().ToString(), "f32[]");
  EXPECT_EQ(tensor.At(0), 0);
}

TEST(HostTensor, AllocatesZeroedAlignedMemory) {
  for (int64_t size : {0, 1, 63, 1000}) {
    const HostTensor tensor({DType::kU8, {size}});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.bytes().data()) % 64, 0u);
    EXPECT_EQ(Values(tensor), std::vector<double>(static_cast<size_t>(size)));
  }
}

TEST(HostTensor, HoldsValues) {
  HostTensor x = HostTensor::Of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(x.dtype(), DType::kF32);
  EXPECT_EQ(x.shape(), (Shape{2, 3}));
  EXPECT_THAT(x.data<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
  x.mutable_data<float>()[4] = -1;
  EXPECT_EQ(x.At(4), -1);
  EXPECT_EQ(HostTensor::Scalar<int64_t>(7).At(0), 7);
  EXPECT_THAT(HostTensor::Of<bool>({2}, {true, false}).data<bool>(), ElementsAre(true, false));
}

TEST(HostTensor, CopiesShareTheirBytes) {
  const HostTensor x = HostTensor::Of<int32_t>({2}, {1, 2});
  const std::vector<HostTensor> copies = {x, x};
  EXPECT_EQ(copies[1].bytes().data(), x.bytes().data());
  const HostTensor z = x.Reshaped({2, 1});
  EXPECT_EQ(z.shape(), (Shape{2, 1}));
  EXPECT_EQ(z.bytes().data(), x.bytes().data());
  EXPECT_EQ(x.shape(), (Shape{2}));
}

TEST(HostTensor, CopyOfIsItsOwn) {
  const HostTensor x = HostTensor::Of<int32_t>({2}, {1, 2});
  HostTensor y = HostTensor::CopyOf(x.type(), x.bytes());
  y.Set(0, 5);
  EXPECT_THAT(y.data<int32_t>(), ElementsAre(5, 2));
  EXPECT_THAT(x.data<int32_t>(), ElementsAre(1, 2));
}

TEST(HostTensor, AViewKeepsItsOwnerAlive) {
  auto owner = std::make_shared<std::vector<float>>(std::vector<float>{1, 2});
  const std::weak_ptr<std::vector<float>> watch = owner;
  {
    const HostTensor view({DType::kF32, {2}}, std::as_bytes(std::span(*owner)), owner);
    owner.reset();
    EXPECT_THAT(view.data<float>(), ElementsAre(1, 2));
  }
  EXPECT_TRUE(watch.expired());
}

TEST(HostTensorDeathTest, MisuseIsABug) {
  HostTensor x = HostTensor::Of<float>({2}, {1, 2});
  EXPECT_DEATH((void)x.data<double>(), "internal check failed");
  EXPECT_DEATH((void)x.At(2), "internal check failed");
  EXPECT_DEATH((void)x.Reshaped({3}), "internal check failed");
  const HostTensor copy = x;
  EXPECT_DEATH((void)x.mutable_bytes(), "internal check failed");
  HostTensor view(x.type(), x.bytes(), nullptr);
  EXPECT_DEATH(view.Set(0, 1), "internal check failed");
}

double SetThenAt(DType dtype, double value) {
  HostTensor tensor({dtype, {}});
  tensor.Set(0, value);
  return tensor.At(0);
}

TEST(HostTensor, SetTruncatesAndSaturatesIntegers) {
  EXPECT_EQ(SetThenAt(DType::kI8, -3.9), -3);
  EXPECT_EQ(SetThenAt(DType::kI8, 127.5), 127);
  EXPECT_EQ(SetThenAt(DType::kI8, 1000), 127);
  EXPECT_EQ(SetThenAt(DType::kI8, -kInfinity), -128);
  EXPECT_EQ(SetThenAt(DType::kU8, -1), 0);
  EXPECT_EQ(SetThenAt(DType::kU32, 5e9), 4294967295.0);
  EXPECT_EQ(SetThenAt(DType::kI64, 1e30), std::ldexp(1, 63));
  EXPECT_EQ(SetThenAt(DType::kU64, kInfinity), std::ldexp(1, 64));
  EXPECT_EQ(SetThenAt(DType::kI32, kNaN), 0);
}

TEST(HostTensor, SetRoundsFloatsAndKeepsComplexReal) {
  EXPECT_EQ(SetThenAt(DType::kF32, 0.1), 0.1f);
  EXPECT_EQ(SetThenAt(DType::kF32, 1e300), kInfinity);
  EXPECT_EQ(SetThenAt(DType::kF64, 0.1), 0.1);
  EXPECT_EQ(SetThenAt(DType::kBF16, 1 + 0x1p-8), 1);
  EXPECT_EQ(SetThenAt(DType::kPred, -0.5), 1);
  EXPECT_EQ(SetThenAt(DType::kPred, 0), 0);
  EXPECT_EQ(SetThenAt(DType::kC64, 1.5), 1.5);
  HostTensor tensor = HostTensor::Scalar(std::complex<double>(1, 2));
  tensor.Set(0, 3);
  EXPECT_THAT(tensor.data<std::complex<double>>(), ElementsAre(3));
}

}  // namespace
}  // namespace headrace
