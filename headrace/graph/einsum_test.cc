// What einsums are made of and what they refuse; their numbers are in jit/einsum_test.cc.
#include "headrace/graph/ops/einsum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/function.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/contraction_order.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/graph/test/live_ops.h"

namespace headrace {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Types Floats(const std::vector<Shape>& shapes) {
  Types types;
  for (const Shape& shape : shapes) types.push_back({DType::kF32, shape});
  return types;
}

std::vector<std::string> EinsumOps(const std::string& subscripts, const std::vector<Shape>& shapes) {
  return LiveOps(Trace("einsum", Floats(shapes), [&](std::span<const Value> x) {
    return Values{Einsum(subscripts, Values(x.begin(), x.end()))};
  }));
}

TEST(Einsum, OfTwoOperandsIsOneProduct) {
  EXPECT_THAT(EinsumOps("ij,jk->ik", {{2, 3}, {3, 4}}), ElementsAre("dot_general"));
  EXPECT_THAT(EinsumOps("bqhd,bkhd->bhqk", {{2, 3, 4, 5}, {2, 6, 4, 5}}), ElementsAre("dot_general"));
  // The operands change places rather than be transposed.
  EXPECT_THAT(EinsumOps("ij,jk->ki", {{2, 3}, {3, 4}}), ElementsAre("dot_general"));
  EXPECT_THAT(EinsumOps("...ij,jk", {{5, 2, 3}, {3, 4}}), ElementsAre("dot_general"));
}

TEST(Einsum, SumsFirstWhatOneOperandHasAlone) {
  EXPECT_THAT(EinsumOps("ij,kl->ik", {{2, 3}, {4, 5}}), ElementsAre("reduce", "reduce", "dot_general"));
  EXPECT_THAT(EinsumOps("ij->ji", {{2, 3}}), ElementsAre("transpose"));
  EXPECT_THAT(EinsumOps("ii->i", {{3, 3}}), ElementsAre("reshape", "slice"));
}

TEST(Einsum, CarriesPrecisionAndElementType) {
  const Types types(3, {DType::kBF16, {2, 2}});
  const Function function = Trace("einsum", types, [](std::span<const Value> x) {
    return Values{Einsum("ij,jk,kl", Values(x.begin(), x.end()), Precision::kHigh, DType::kF32)};
  });
  EXPECT_EQ(function.results[0].type(), (TensorType{DType::kF32, {2, 2}}));
  int products = 0;
  for (const Node* node : LiveNodes(function.results)) {
    if (node->op->name() != "dot_general") continue;
    ++products;
    EXPECT_THAT(node->op->ToString(),
                AllOf(HasSubstr("precision = HIGH,"), HasSubstr(R"(preferred_element_type = "f32")")));
  }
  EXPECT_EQ(products, 2);
}

TEST(ContractionOrder, TakesFewestMultiplications) {
  // ((A B) C) takes 100·2·100 + 100·100·2, (A (B C)) takes 2·100·2 + 100·2·2.
  const std::vector<Ints> chain = {{'a', 'b'}, {'b', 'c'}, {'c', 'd'}};
  const std::map<int64_t, int64_t> sizes = {{'a', 100}, {'b', 2}, {'c', 100}, {'d', 2}};
  const auto order = ContractionOrder(chain, {'a', 'd'}, sizes);
  EXPECT_THAT(order, ElementsAre(Contraction{1, 2}, Contraction{0, 1}));
  EXPECT_EQ(ContractionCost(chain, {'a', 'd'}, sizes, order), 800);
}

TEST(ContractionOrder, OfEqualOnesIsFromTheLeft) {
  const std::vector<Ints> vectors(3, {'i'});
  EXPECT_THAT(ContractionOrder(vectors, {'i'}, {{'i', 4}}),
              ElementsAre(Contraction{0, 1}, Contraction{0, 1}));
}

TEST(ContractionOrder, OfManyOperandsAvoidsLargeProducts) {
  // A ring of 12 matrices: in the order in which they stand, every product has 4 dimensions but for the last.
  std::vector<Ints> ring;
  std::map<int64_t, int64_t> sizes;
  for (int64_t i = 0; i < 12; ++i) {
    const int64_t shuffled = i * 5 % 12;
    ring.push_back({shuffled, (shuffled + 1) % 12});
    sizes[i] = 10;
  }
  const auto order = ContractionOrder(ring, {}, sizes);
  ASSERT_EQ(order.size(), 11u);
  EXPECT_LE(ContractionCost(ring, {}, sizes, order), 10 * 1000 + 100);
}

TEST(Einsum, SaysWhatIsWrong) {
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {2, 3}}, "x");
  const Value v = graph.Parameter({DType::kF32, {4}}, "v");
  const Value n = graph.Parameter({DType::kI32, {2}}, "n");
  const Value p = graph.Parameter({DType::kPred, {2}}, "p");
  auto error = [](std::string_view text, const Values& operands) {
    return ErrorOf([&] { return Einsum(text, operands); });
  };
  EXPECT_EQ(error("i", {}), "einsum: has no operands");
  EXPECT_EQ(error("ij,j", {x}),
            "einsum(\"ij,j\", f32[2, 3]): has subscripts for 2 operands, and there are 1");
  EXPECT_EQ(error("ij,j", {x, v}), "einsum(\"ij,j\", f32[2, 3], f32[4]): 'j' is 4 in operand 1 and 3 before");
  EXPECT_THAT(error("...,...", {x, v}), HasSubstr("dimension -1 of '...' is 4 in operand 1 and 3 before"));
  EXPECT_THAT(error("ii", {x}), HasSubstr("'i' is both 2 and 3 in operand 0"));
  EXPECT_THAT(error("ijk", {x}), HasSubstr("'ijk' names 3 dimensions, operand 0 has 2"));
  EXPECT_THAT(error("i", {x}), HasSubstr("'i' names 1 dimensions, operand 0 has 2"));
  EXPECT_THAT(error("ij...k", {x}), HasSubstr("'ij...k' names 3 dimensions, operand 0 has 2"));
  EXPECT_THAT(error("i1", {x}), HasSubstr("'1' is no label; labels are letters, and '...' is for"));
  EXPECT_THAT(error("i..", {x}), HasSubstr("'.' is no label"));
  EXPECT_THAT(error("i->j->k", {v}), HasSubstr("'-' is no label"));
  EXPECT_THAT(error("......", {x}), HasSubstr("'......' has '...' twice"));
  EXPECT_THAT(error("ij->iji", {x}), HasSubstr("the output has 'i' twice"));
  EXPECT_THAT(error("ij->ik", {x}), HasSubstr("the output has 'k', which no operand has"));
  EXPECT_THAT(error("ij,i", {x, n}), HasSubstr("element types differ; convert one of them"));
  EXPECT_THAT(error("i", {p}), HasSubstr("multiplies numbers, not pred"));
  EXPECT_THAT(error("i", {Value()}), HasSubstr("an operand is empty"));
  auto entered = graph.Enter("attention");
  EXPECT_THAT(error("ii", {x}), HasSubstr(" (in attention)"));
}

TEST(Matmul, SaysWhatIsWrong) {
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {2, 3}}, "x");
  const Value v = graph.Parameter({DType::kF32, {4}}, "v");
  const Value scalar = graph.Parameter({DType::kF32, {}}, "scalar");
  EXPECT_EQ(ErrorOf([&] { return Matmul(x, scalar); }),
            "matmul: takes [..., m, k] and [..., k, n], not f32[2, 3] and f32[]");
  EXPECT_EQ(ErrorOf([&] { return Matmul(x, v); }),
            "matmul: the rows of f32[2, 3] have 3 elements, the columns of f32[4] 4");
  EXPECT_EQ(ErrorOf([&] { return Tensordot(x, v, 2); }),
            "tensordot: 2 axes are not among those of f32[2, 3] and f32[4]");
  EXPECT_EQ(ErrorOf([&] { return Diagonal(v); }), "diagonal: takes [..., m, n], not f32[4]");
  EXPECT_EQ(ErrorOf([&] { return Diagonal(x, 0, 1, -1); }),
            "diagonal: 1 and -1 are not two dimensions of f32[2, 3]");
  EXPECT_EQ(ErrorOf([&] { return Tril(v); }), "tril: takes [..., m, n], not f32[4]");
  EXPECT_EQ(ErrorOf([&] { return DiagonalMatrix(scalar); }), "diagonal_matrix: takes [..., n], not f32[]");
}

}  // namespace
}  // namespace headrace
