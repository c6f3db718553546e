#include "headrace/tensor/shape.h"

#include <gtest/gtest.h>

namespace headrace {
namespace {

TEST(Shape, CountsAndStrides) {
  const Shape shape{2, 3, 4};
  EXPECT_EQ(shape.rank(), 3);
  EXPECT_EQ(shape[1], 3);
  EXPECT_EQ(shape.ElementCount(), 24);
  EXPECT_EQ(shape.Strides(), (std::vector<int64_t>{12, 4, 1}));
}

TEST(Shape, AScalarHasOneElement) {
  EXPECT_EQ(Shape().ElementCount(), 1);
  EXPECT_TRUE(Shape().Strides().empty());
  EXPECT_EQ(Shape().ToString(), "[]");
}

TEST(Shape, ASizeOfZeroEmptiesIt) {
  EXPECT_EQ((Shape{3, 0, 2}).ElementCount(), 0);
  EXPECT_EQ((TensorType{DType::kF32, {3, 0, 2}}).ByteCount(), 0);
}

TEST(Shape, ComparesByItsSizes) {
  EXPECT_EQ((Shape{2, 3}), Shape(std::vector<int64_t>{2, 3}));
  EXPECT_NE((Shape{2, 3}), (Shape{3, 2}));
  EXPECT_NE((Shape{2}), (Shape{2, 1}));
}

TEST(TensorType, IsWrittenForPeopleAndForMlir) {
  const TensorType type{DType::kPred, {2, 3}};
  EXPECT_EQ(type.ToString(), "pred[2, 3]");
  EXPECT_EQ(type.ToMlir(), "tensor<2x3xi1>");
  EXPECT_EQ((TensorType{DType::kBF16, {}}).ToMlir(), "tensor<bf16>");
}

TEST(TensorType, CheckedByteCountRefusesWhatDoesNotFit) {
  constexpr int64_t kHuge = int64_t{1} << 62;
  EXPECT_EQ(CheckedByteCount({DType::kC128, {2, 3}}), 96);
  EXPECT_EQ(CheckedByteCount({DType::kF32, {0, 5}}), 0);
  EXPECT_EQ(CheckedByteCount({DType::kU8, {kHuge}}), kHuge);
  EXPECT_EQ(CheckedByteCount({DType::kU16, {kHuge}}), std::nullopt);
  EXPECT_EQ(CheckedByteCount({DType::kU8, {kHuge, 0, kHuge}}), std::nullopt);
  EXPECT_EQ(CheckedByteCount({DType::kU8, {3, -1}}), std::nullopt);
}

}  // namespace
}  // namespace headrace
