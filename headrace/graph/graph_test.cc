#include "headrace/graph/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "headrace/graph/op_text.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"
#include "headrace/graph/test/graph_error.h"

namespace headrace {
namespace {

const TensorType kVector = {DType::kF32, {3}};

TEST(Graph, ShapeErrorsSayWhatDoesNotFit) {
  std::ifstream file("headrace/graph/testdata/shape_errors.txt");
  ASSERT_TRUE(file.good());
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    SCOPED_TRACE(line);
    const size_t first = line.find(" |");
    const size_t second = line.find("| ", first + 2);
    const auto op = ParseOp(line.substr(0, first));
    ASSERT_TRUE(op.ok()) << op.status().ToString();
    Graph graph;
    Values operands;
    for (const std::string& text : SplitTopLevel(line.substr(first + 2, second - first - 2))) {
      const auto type = ParseTensorType(text);
      ASSERT_TRUE(type.ok()) << type.status().ToString();
      operands.push_back(graph.Parameter(*type, "x"));
    }
    EXPECT_EQ(ErrorOf([&] { graph.Apply(*op, operands); }), line.substr(second + 2));
    EXPECT_EQ(graph.nodes().size(), operands.size());  // nothing was added
  }
}

TEST(Graph, ErrorsSayWhere) {
  Graph graph;
  const Value x = graph.Parameter(kVector, "x");
  auto outer = graph.Enter("layers.3");
  {
    auto inner = graph.Enter("layers.3/attention");
    EXPECT_EQ(ErrorOf([&] { Transpose(x, {1}); }),
              "transpose(f32[3]): [1] is not a permutation of the 1 dimensions (in layers.3/attention)");
  }
  EXPECT_EQ(ErrorOf([&] { x + graph.Parameter({DType::kF32, {4}}, "y"); }),
            "shapes do not broadcast together: f32[3], f32[4] (in layers.3)");
}

TEST(Graph, RefusesForeignAndEmptyOperands) {
  Graph graph, other;
  const Value x = graph.Parameter(kVector, "x");
  const Value y = other.Parameter(kVector, "y");
  EXPECT_EQ(ErrorOf([&] { x + y; }), "add: an operand belongs to another graph; pass it in as an argument");
  EXPECT_EQ(ErrorOf([&] { Concatenate({x, Value()}, 0); }), "concatenate: an operand is empty");
}

TEST(Graph, NodesKnowTheirPlaceAndScope) {
  Graph graph;
  const Value x = graph.Parameter(kVector, "weight");
  auto entered = graph.Enter("layers.0");
  const Value y = Tanh(x);
  EXPECT_EQ(x.node().id, 0);
  EXPECT_EQ(x.node().scope, "weight");
  EXPECT_EQ(y.node().id, 1);
  EXPECT_EQ(y.node().scope, "layers.0");
  EXPECT_EQ(y.node().operands, Values{x});
  EXPECT_EQ(y.type(), kVector);
  EXPECT_EQ(graph.parameters(), Values{x});
}

}  // namespace
}  // namespace headrace
