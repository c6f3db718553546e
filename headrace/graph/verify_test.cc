#include "headrace/graph/verify.h"

#include <gtest/gtest.h>

#include "headrace/graph/ops.h"

namespace headrace {
namespace {

const TensorType kVector = {DType::kF32, {3}};

// Three nodes: x, exp, tanh.
Function Chain() {
  return Trace("chain", Types{kVector}, [](std::span<const Value> x) { return Values{Tanh(Exp(x[0]))}; });
}

// Graphs cannot be edited; these tests do it all the same.
Node& NodeAt(const Function& function, size_t i) { return const_cast<Node&>(function.graph->nodes()[i]); }

std::string Verdict(const Function& function) { return Verify(function).ToString(); }

TEST(Verify, AcceptsWhatTracesMake) {
  EXPECT_EQ(Verdict(Chain()), "OK");
  EXPECT_EQ(Verdict(Function{.name = "f"}), "INTERNAL: function f has no graph");
}

TEST(Verify, FindsOperandsOutOfOrder) {
  const Function function = Chain();
  NodeAt(function, 1).operands = {function.results[0]};
  EXPECT_EQ(Verdict(function),
            "INTERNAL: function chain: node 1 (exp): operand 0 is node 2, which comes later");
}

TEST(Verify, FindsForeignAndEmptyOperands) {
  const Function other = Chain();
  const Function function = Chain();
  NodeAt(function, 1).operands = {other.parameters()[0]};
  EXPECT_EQ(Verdict(function), "INTERNAL: function chain: node 1 (exp): operand 0 belongs to another graph");
  NodeAt(function, 1).operands = {Value()};
  EXPECT_EQ(Verdict(function), "INTERNAL: function chain: node 1 (exp): operand 0 is empty");
  NodeAt(function, 1).operands = {Value(&NodeAt(function, 0), 1)};
  EXPECT_EQ(Verdict(function),
            "INTERNAL: function chain: node 1 (exp): operand 0 is result 1 of a node that has 1");
  NodeAt(function, 1).operands = {};
  EXPECT_EQ(Verdict(function), "INTERNAL: function chain: node 1 (exp): has 0 operands, not 1");
}

TEST(Verify, FindsTypesThatTheOpDoesNotGive) {
  const Function function = Chain();
  NodeAt(function, 2).types = {{DType::kF32, {4}}};
  EXPECT_EQ(Verdict(function),
            "INTERNAL: function chain: node 2 (tanh): result 0 is f32[4], the op gives f32[3]");
  NodeAt(function, 2).types = {};
  EXPECT_EQ(Verdict(function), "INTERNAL: function chain: node 2 (tanh): has 0 results, the op gives 1");
  NodeAt(function, 0).types = {{DType::kI32, {3}}};
  EXPECT_EQ(Verdict(function), "INTERNAL: function chain: node 1 (exp): takes floating-point or complex");
}

TEST(Verify, FindsNodesOutOfPlace) {
  const Function function = Chain();
  NodeAt(function, 1).id = 7;
  EXPECT_EQ(Verdict(function), "INTERNAL: function chain: node 7 (exp): stands at position 1");
  NodeAt(function, 1).id = 1;
  NodeAt(function, 1).op = nullptr;
  EXPECT_EQ(Verdict(function), "INTERNAL: function chain: node 1 (parameter): is not among the parameters");
}

TEST(Verify, FindsWrongResults) {
  const Function other = Chain();
  Function function = Chain();
  function.results.push_back(other.results[0]);
  EXPECT_EQ(Verdict(function), "INTERNAL: function chain: result 1: belongs to another graph");
  function.results[1] = Value();
  EXPECT_EQ(Verdict(function), "INTERNAL: function chain: result 1: is empty");
}

TEST(Verify, GoesIntoFunctionsOfOps) {
  const Node* inner = nullptr;
  const Function function = Trace("f", Types{kVector}, [&](std::span<const Value> x) {
    return Composite("layer", {x[0]}, [&](std::span<const Value> v) {
      const Value y = Exp(v[0]);
      inner = &y.node();
      return Values{Tanh(y)};
    });
  });
  EXPECT_EQ(Verdict(function), "OK");
  const_cast<Node*>(inner)->types = {{DType::kF32, {4}}};
  EXPECT_EQ(
      Verdict(function),
      "INTERNAL: function f: node 1 (composite): function layer: node 1 (exp): result 0 is f32[4], the op "
      "gives f32[3]");
}

}  // namespace
}  // namespace headrace
