// Einsums and their gradients against those of JAX (tools/reference/einsum.py), exactly; products and
// diagonals against numbers worked out by hand.
#include "headrace/graph/ops/einsum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "headrace/graph/gradient.h"
#include "headrace/graph/op_text.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/reference_file.h"
#include "headrace/graph/verify.h"
#include "headrace/graph/vmap.h"
#include "headrace/jit/test/elements.h"

namespace headrace::jit {
namespace {

using ::testing::ElementsAre;

struct Case {
  std::string subscripts;
  Types operands;
};

// A line is "subscripts" | shape | shape …
std::vector<Case> ReadCases() {
  std::ifstream file("headrace/graph/testdata/einsum.txt");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    const size_t quote = line.rfind('"');
    Case c = {.subscripts = line.substr(1, quote - 1)};
    for (size_t bar = line.find("| ", quote); bar != std::string::npos; bar = line.find("| ", bar + 1)) {
      const size_t end = line.find(']', bar) + 1;
      c.operands.push_back(*ParseTensorType("f32" + line.substr(bar + 2, end - bar - 2)));
    }
    cases.push_back(std::move(c));
  }
  return cases;
}

void ExpectEqual(const HostTensor& got, const HostTensor& want, std::string_view what) {
  ASSERT_EQ(got.type(), want.type()) << what;
  for (int64_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got.At(i), want.At(i)) << what << ", element " << i;
  }
}

TEST(Einsum, EqualsJax) {
  auto references = ReadReferences("headrace/graph/testdata/einsum.safetensors");
  ElementReader in(references["in"]), seed(references["seed"]), out(references["out"]),
      grad(references["grad"]);
  const std::vector<Case> cases = ReadCases();
  ASSERT_GE(cases.size(), 180u);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.subscripts);
    Function function{.name = "einsum", .graph = std::make_unique<Graph>(), .results = {}};
    std::vector<HostTensor> arguments;
    for (const TensorType& type : c.operands) {
      function.graph->Parameter(type, "x");
      arguments.push_back(in.Next(type));
    }
    const Values operands = function.parameters();
    const Value y = Einsum(c.subscripts, operands);
    function.results = Gradient(y, operands, function.graph->Parameter(y.type(), "dy"));
    function.results.push_back(y);
    arguments.push_back(seed.Next(y.type()));
    EXPECT_EQ(Verify(function).ToString(), "OK");
    const auto got = Evaluate(TestClient(), function, arguments);
    ASSERT_TRUE(got.ok()) << got.status().ToString();
    for (size_t i = 0; i < c.operands.size(); ++i)
      ExpectEqual(got->at(i), grad.Next(c.operands[i]), "gradient");
    ExpectEqual(got->back(), out.Next(y.type()), "result");
  }
  EXPECT_TRUE(in.AtEnd() && seed.AtEnd() && out.AtEnd() && grad.AtEnd());
}

// 0, 1, 2, …
HostTensor Counting(const Shape& shape) {
  HostTensor tensor({DType::kF32, shape});
  for (int64_t i = 0; i < tensor.size(); ++i) tensor.Set(i, static_cast<double>(i));
  return tensor;
}

TEST(Einsum, OfABatchEqualsSingleOnes) {
  const std::vector<HostTensor> arguments = {Counting({2, 3, 2, 2}), Counting({2, 3})};
  auto body = [](std::span<const Value> x) { return Values{Einsum("...ii,...j->j...", {x[0], x[1]})}; };
  const auto batched =
      Elements(arguments, [&](std::span<const Value> x) { return Vmap(body, x, {{1}, {1}}, 1).at(0); });
  const auto single = Elements(arguments, [&](std::span<const Value> x) {
    Values examples;
    for (int64_t i = 0; i < 3; ++i) {
      const Value slices[] = {Reshape(Slice(x[0], 1, i, i + 1), Ints{2, 2, 2}),
                              Reshape(Slice(x[1], 1, i, i + 1), Ints{2})};
      examples.push_back(ExpandDims(body(slices)[0], 1));
    }
    return Concatenate(examples, 1);
  });
  EXPECT_EQ(batched, single);
}

TEST(Matmul, BroadcastsAsNumpy) {
  const HostTensor x = Counting({2, 2, 3});
  const HostTensor w = Counting({3, 2});
  const HostTensor v = Counting({3});
  EXPECT_THAT(Elements({x, w}, [](auto a) { return Matmul(a[0], a[1]); }),
              ElementsAre(10, 13, 28, 40, 46, 67, 64, 94));
  EXPECT_THAT(Elements({v, w}, [](auto a) { return Matmul(a[0], a[1]); }), ElementsAre(10, 13));
  EXPECT_THAT(Elements({x, v}, [](auto a) { return Matmul(a[0], a[1]); }), ElementsAre(5, 14, 23, 32));
  EXPECT_THAT(Elements({v, v}, [](auto a) { return Matmul(a[0], a[0]); }), ElementsAre(5));
  const HostTensor stack = Counting({2, 1, 1, 3});
  EXPECT_THAT(Elements({stack, x}, [](auto a) { return Matmul(a[0], Transpose(a[1], {0, 2, 1})); }),
              ElementsAre(5, 14, 23, 32, 14, 50, 86, 122));
}

TEST(Matmul, HasTheProductsBesideIt) {
  const HostTensor x = Counting({2, 3});
  const HostTensor v = HostTensor::Of<float>({2}, {1, 2});
  EXPECT_THAT(Elements({v, x}, [](auto a) { return Outer(a[0], a[1]); }),
              ElementsAre(0, 1, 2, 3, 4, 5, 0, 2, 4, 6, 8, 10));
  EXPECT_THAT(Elements({x}, [](auto a) { return Tensordot(a[0], a[0]); }), ElementsAre(55));
  EXPECT_THAT(Elements({v, x}, [](auto a) { return Tensordot(a[0], a[1], 1); }), ElementsAre(6, 9, 12));
  EXPECT_THAT(Elements({x}, [](auto a) { return Tensordot(a[0], a[0], {-1}, {1}); }),
              ElementsAre(5, 14, 14, 50));
}

TEST(Diagonal, CountsFromTheMainOne) {
  const HostTensor x = Counting({3, 4});
  auto diagonal = [&](int64_t offset) {
    return Elements({x}, [offset](auto a) { return Diagonal(a[0], offset); });
  };
  EXPECT_THAT(diagonal(0), ElementsAre(0, 5, 10));
  EXPECT_THAT(diagonal(1), ElementsAre(1, 6, 11));
  EXPECT_THAT(diagonal(3), ElementsAre(3));
  EXPECT_THAT(diagonal(4), ElementsAre());
  EXPECT_THAT(diagonal(-1), ElementsAre(4, 9));
  EXPECT_THAT(diagonal(-3), ElementsAre());
  EXPECT_THAT(Elements({x}, [](auto a) { return MatrixTrace(a[0]); }), ElementsAre(15));
  // Of other axes, the rows of the diagonal are its last dimension.
  EXPECT_THAT(Elements({Counting({2, 3, 2})}, [](auto a) { return Diagonal(a[0], 0, 2, 0); }),
              ElementsAre(0, 7, 2, 9, 4, 11));
}

TEST(Diagonal, MakesMatrices) {
  const HostTensor v = HostTensor::Of<float>({2}, {1, 2});
  EXPECT_THAT(Elements({v}, [](auto a) { return DiagonalMatrix(a[0]); }), ElementsAre(1, 0, 0, 2));
  EXPECT_THAT(Elements({v}, [](auto a) { return DiagonalMatrix(a[0], 1); }),
              ElementsAre(0, 1, 0, 0, 0, 2, 0, 0, 0));
  EXPECT_THAT(Elements({v}, [](auto a) { return DiagonalMatrix(a[0], -1); }),
              ElementsAre(0, 0, 0, 1, 0, 0, 0, 2, 0));
  EXPECT_THAT(Elements({v}, [](auto a) { return Eye(a[0].graph(), DType::kF32, 2, 3, 1); }),
              ElementsAre(0, 1, 0, 0, 0, 1));
}

TEST(Diagonal, CutsTriangles) {
  const HostTensor x = Counting({1, 2, 3});
  EXPECT_THAT(Elements({x}, [](auto a) { return Tril(a[0]); }), ElementsAre(0, 0, 0, 3, 4, 0));
  EXPECT_THAT(Elements({x}, [](auto a) { return Tril(a[0], -1); }), ElementsAre(0, 0, 0, 3, 0, 0));
  EXPECT_THAT(Elements({x}, [](auto a) { return Triu(a[0]); }), ElementsAre(0, 1, 2, 0, 4, 5));
  EXPECT_THAT(Elements({x}, [](auto a) { return Triu(a[0], 2); }), ElementsAre(0, 0, 2, 0, 0, 0));
}

}  // namespace
}  // namespace headrace::jit
