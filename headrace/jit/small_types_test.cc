// Element types of 8 bits and fewer: what devices make of them is what HostTensor makes of them, which is
// held against ml_dtypes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/jit/test/elements.h"
#include "headrace/jit/test/same_function.h"

namespace headrace::jit {
namespace {

using ::testing::ElementsAre;

constexpr DType kFloats[] = {DType::kF4E2M1FN,   DType::kF8E3M4,        DType::kF8E4M3, DType::kF8E4M3FN,
                             DType::kF8E4M3FNUZ, DType::kF8E4M3B11FNUZ, DType::kF8E5M2, DType::kF8E5M2FNUZ,
                             DType::kF16,        DType::kBF16};
constexpr DType kIntegers[] = {DType::kI2, DType::kI4, DType::kI8, DType::kU2, DType::kU4, DType::kU8};

class SmallTypes : public ::testing::TestWithParam<DType> {};

// Every pattern of 8 bits and fewer; some of 16.
HostTensor Patterns(DType dtype) {
  const int64_t count = std::min<int64_t>(int64_t{1} << BitWidth(dtype), 256);
  HostTensor bytes({DType::kU8, {count * ByteSize(dtype)}});
  for (int64_t i = 0; i < bytes.size(); ++i) bytes.Set(i, static_cast<double>(i % 256));
  return HostTensor::CopyOf({dtype, {count}}, bytes.bytes());
}

void ExpectEqual(const std::vector<double>& ours, const HostTensor& expected) {
  ASSERT_EQ(static_cast<int64_t>(ours.size()), expected.size());
  for (int64_t i = 0; i < expected.size(); ++i) {
    const double a = ours[static_cast<size_t>(i)], b = expected.At(i);
    EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << i << ": " << a << " is not " << b;
  }
}

TEST_P(SmallTypes, GoToTheDeviceAndBack) {
  const HostTensor patterns = Patterns(GetParam());
  ExpectEqual(Elements({patterns}, [](auto v) { return v[0]; }), patterns);
  ExpectEqual(Elements({patterns}, [](auto v) { return Reshape(v[0], {2, -1}); }), patterns);
  ExpectEqual(Elements({patterns}, [](auto v) { return Convert(v[0], DType::kF32); }), patterns);
}

TEST_P(SmallTypes, ConvertAsTheHostDoes) {
  const HostTensor numbers = HostTensor::Of<float>(
      {16}, {0, 1, -1, 0.5f, 1.5f, 2.5f, -2.5f, 3.49f, 6, 7, 15, 100, -300, 1e6f, 0.01f, -0.3f});
  ExpectEqual(Elements({numbers}, [](auto v) { return Convert(v[0], GetParam()); }),
              numbers.ConvertTo(GetParam()));
}

TEST_P(SmallTypes, AreConstants) {
  const HostTensor few = HostTensor::Of<float>({3}, {0, 1, 1}).ConvertTo(GetParam());
  const auto constants = [&](auto v) {
    Graph& graph = v[0].graph();
    return Concatenate(
        {Constant(graph, few), Full(graph, {GetParam(), {1}}, 1), Constant(graph, Patterns(GetParam()))}, 0);
  };
  const std::vector<double> found = Elements({HostTensor::Scalar(0.0f)}, constants);
  EXPECT_THAT(std::vector<double>(found.begin(), found.begin() + 4), ElementsAre(0, 1, 1, 1));
  ExpectEqual({found.begin() + 4, found.end()}, Patterns(GetParam()));
}

TEST_P(SmallTypes, TakePartInArithmetic) {
  if (GetParam() == DType::kI2 || GetParam() == DType::kU2) {
    GTEST_SKIP() << "XLA's CPU compiler aborts on arithmetic of two bits (ir_array.cc: bit_offset)";
  }
  const HostTensor a = HostTensor::Of<float>({4}, {0, 1, 1, 0}).ConvertTo(GetParam());
  const HostTensor b = HostTensor::Of<float>({4}, {1, 1, 0, 0}).ConvertTo(GetParam());
  EXPECT_THAT(Elements({a, b}, [](auto v) { return v[0] * v[1]; }), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(Elements({a, b}, [](auto v) { return Maximum(v[0], v[1]); }), ElementsAre(1, 1, 1, 0));
  EXPECT_THAT(Elements({a, b}, [](auto v) { return Less(v[0], v[1]); }), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(Elements({a, b}, [](auto v) { return Select(Equal(v[0], v[1]), v[0], v[1]); }),
              ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(Elements({a, b}, [](auto v) { return Sort(Concatenate({v[0], v[1]}, 0)); }),
              ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(Elements({a}, [](auto v) { return Max(v[0], {0}); }), ElementsAre(1));
  EXPECT_THAT(Elements({a}, [](auto v) { return Min(v[0], {0}); }), ElementsAre(0));
  EXPECT_THAT(Elements({a}, [](auto v) { return ArgMax(v[0], 0); }), ElementsAre(1));
}

std::string TypeName(const ::testing::TestParamInfo<DType>& info) { return std::string(Name(info.param)); }

INSTANTIATE_TEST_SUITE_P(Floats, SmallTypes, ::testing::ValuesIn(kFloats), TypeName);
INSTANTIATE_TEST_SUITE_P(Integers, SmallTypes, ::testing::ValuesIn(kIntegers), TypeName);

TEST(SmallFormats, HavePowersOfTwoForScales) {
  const HostTensor numbers = HostTensor::Of<float>({5}, {1, 3, 0.75f, 1e-3f, 100});
  ExpectEqual(Elements({numbers}, [](auto v) { return Convert(v[0], DType::kF8E8M0FNU); }),
              numbers.ConvertTo(DType::kF8E8M0FNU));
  const HostTensor powers = Patterns(DType::kF8E8M0FNU);
  ExpectEqual(Elements({powers}, [](auto v) { return v[0]; }), powers);
  // A scale gets no gradient, what it scales does.
  const auto gradients = Elements({numbers}, [](auto v) {
    const Value scale = Convert(Convert(v[0], DType::kF8E8M0FNU), DType::kF32);
    return Gradient(Sum(v[0] * scale), v)[0];
  });
  ExpectEqual(gradients, numbers.ConvertTo(DType::kF8E8M0FNU));
}

TEST(SmallFormats, MultiplyIntoWiderOnes) {
  for (DType dtype : {DType::kF8E4M3FN, DType::kF8E5M2, DType::kF16, DType::kBF16}) {
    const HostTensor a = Numbers({3, 8}, 1).ConvertTo(dtype), b = Numbers({8, 2}, 2).ConvertTo(dtype);
    ExpectSame(
        [](auto v) {
          return Values{DotGeneral(v[0], v[1], {.lhs_contract = {1}, .rhs_contract = {0}},
                                   Precision::kDefault, DType::kF32)};
        },
        [](auto v) { return Values{Dot(Convert(v[0], DType::kF32), Convert(v[1], DType::kF32))}; }, {a, b});
  }
}

TEST(SmallFormats, BitsOfTwoFitIntoAByte) {
  const HostTensor halves = HostTensor::Of<int32_t>({2, 2}, {1, -1, 7, -8}).ConvertTo(DType::kI4);
  EXPECT_THAT(Elements({halves}, [](auto v) { return BitcastConvert(v[0], DType::kU8); }),
              ElementsAre(0xf1, 0x87));
}

}  // namespace
}  // namespace headrace::jit
