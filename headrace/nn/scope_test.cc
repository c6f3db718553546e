#include "headrace/nn/scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/ops.h"
#include "headrace/nn/linear.h"

namespace headrace::nn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Value Variable(Graph& graph, DType dtype, Shape shape) {
  return graph.Parameter({dtype, std::move(shape)}, "variable");
}

template <class Function>
std::string ErrorOf(Function function) {
  try {
    function();
  } catch (const GraphError& error) {
    return error.what();
  }
  return "";
}

TEST(Frame, WritesDownWhatLayersDeclare) {
  Graph scratch;
  Frame frame = Frame::Declare(scratch);
  const Scope scope(frame);
  const Linear layer(scope / "layers" / 3, {4, "embed"}, {8, "mlp"});
  (scope / "norm").State("running_mean", {{8, "mlp"}}, Zeros());

  ASSERT_EQ(frame.specs().size(), 3u);
  const VariableSpec& weight = frame.specs()[0];
  EXPECT_EQ(weight.name, "layers.3.weight");
  EXPECT_EQ(weight.type, (TensorType{DType::kF32, {4, 8}}));
  EXPECT_THAT(weight.axes, ElementsAre("embed", "mlp"));
  EXPECT_TRUE(weight.trained);
  EXPECT_EQ(frame.specs()[1].name, "layers.3.bias");
  EXPECT_EQ(frame.specs()[2].name, "norm.running_mean");
  EXPECT_FALSE(frame.specs()[2].trained);
}

TEST(Frame, BindsVariablesInTheComputeType) {
  Graph graph;
  const Value weight = Variable(graph, DType::kF32, {2});
  Frame frame = Frame::Bind(graph, {{"weight", weight}}, {.compute = DType::kBF16});
  const Value got = Scope(frame).Param("weight", {2}, Zeros());
  EXPECT_EQ(got.type(), (TensorType{DType::kBF16, {2}}));
  EXPECT_EQ(got.node().operands[0], weight);
}

TEST(Frame, CollectsReplacedState) {
  Graph graph;
  Frame frame = Frame::Bind(graph, {{"norm.mean", Variable(graph, DType::kF32, {2})}}, {});
  const Scope scope = Scope(frame) / "norm";
  const Value moved = scope.State("mean", {2}, Zeros()) + 1.0;
  scope.SetState("mean", moved);
  EXPECT_EQ(frame.variables().at("norm.mean"), moved);
}

// What a block leaves in its frame comes out of the inner graph with its results.
TEST(Scope, RematKeepsStateAndPenalties) {
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {2}}, "x");
  Frame frame = Frame::Bind(graph, {{"norm.mean", Variable(graph, DType::kF32, {2})}},
                            {.train = true, .key = Key(graph, 1), .remat = RematPolicy::kFull});
  const Scope norm = Scope(frame) / "norm";
  const Value mean = norm.State("mean", {2}, Zeros());
  const Values results = norm.Remat(
      [&](std::span<const Value> v) {
        EXPECT_EQ(&norm.Key().graph(), &v[0].graph());
        norm.SetState("mean", mean + v[0]);
        norm.AddPenalty(Sum(v[0]));
        return Values{v[0] * mean};
      },
      {x});
  ASSERT_EQ(results.size(), 1);
  EXPECT_EQ(results[0].node().op->name(), "remat");
  EXPECT_EQ(frame.variables().at("norm.mean"), results[0].node().result(1));
  ASSERT_EQ(frame.penalties().size(), 1);
  EXPECT_EQ(frame.penalties()[0], results[0].node().result(2));
  EXPECT_EQ(&frame.graph(), &graph);
  EXPECT_EQ(&norm.Key().graph(), &graph);
}

TEST(Scope, PenaltiesOfALoopAreTakenOutOfIt) {
  Graph graph;
  Frame frame = Frame::Bind(graph, {}, {.train = true});
  const Scope scope(frame, "layers");
  const auto step = [&](std::span<const Value> carry, std::span<const Value>) {
    scope.AddPenalty(Sum(carry[0]));
    return ScanResult{{carry[0]}, {}};
  };
  const Value start = Full(graph, {DType::kF32, {2}}, 1);
  EXPECT_THAT(
      ErrorOf([&] { Scan(step, {start}, {}, {.length = 3}); }),
      HasSubstr("a penalty is made in the body of a loop or branch; let the body give it as a result"));
  scope.AddPenalty(Sum(start));
  EXPECT_EQ(frame.penalties().size(), 1);
}

TEST(Scope, PutsOpsUnderItsPath) {
  Graph graph;
  Frame frame = Frame::Bind(graph,
                            {{"head.weight", Variable(graph, DType::kF32, {2, 3})},
                             {"head.bias", Variable(graph, DType::kF32, {3})}},
                            {});
  const Linear head(Scope(frame) / "head", 2, 3);
  EXPECT_EQ(head(Variable(graph, DType::kF32, {4, 2})).node().scope, "head");
  EXPECT_EQ(graph.scope(), "");
}

TEST(Scope, SaysWhichVariableIsWrong) {
  Graph scratch;
  Frame declaring = Frame::Declare(scratch);
  const Scope twice = Scope(declaring) / "mlp";
  twice.Param("weight", {2}, Zeros());
  EXPECT_EQ(ErrorOf([&] { twice.Param("weight", {2}, Zeros()); }),
            "variable 'mlp.weight' is declared twice (in mlp)");

  Graph graph;
  Frame frame = Frame::Bind(graph, {{"mlp.weight", Variable(graph, DType::kF32, {2, 3})}}, {});
  const Scope scope = Scope(frame) / "mlp";
  EXPECT_EQ(ErrorOf([&] { scope.Param("bias", {3}, Zeros()); }), "there is no variable 'mlp.bias' (in mlp)");
  EXPECT_EQ(ErrorOf([&] { scope.Param("weight", {3, 2}, Zeros()); }),
            "variable 'mlp.weight' is f32[2, 3]; the model wants f32[3, 2] (in mlp)");
  EXPECT_EQ(ErrorOf([&] { scope.Key(); }),
            "this layer draws random numbers, but the trace has no key (in mlp)");
}

TEST(Scope, MisfitsNameTheLayer) {
  Graph graph;
  Frame frame = Frame::Bind(graph,
                            {{"head.weight", Variable(graph, DType::kF32, {2, 3})},
                             {"head.bias", Variable(graph, DType::kF32, {3})}},
                            {});
  const Linear head(Scope(frame) / "head", 2, 3);
  EXPECT_THAT(ErrorOf([&] { head(Variable(graph, DType::kF32, {4, 5})); }), HasSubstr("(in head)"));
}

TEST(Scope, HashesPathsAsFnv1a) {
  EXPECT_EQ(PathHash(""), 2166136261u);
  EXPECT_EQ(PathHash("a"), 0xE40C292Cu);
  EXPECT_EQ(PathHash("foobar"), 0xBF9CF968u);
}

TEST(Initializers, NeedTwoDimensionsToCountFans) {
  Graph graph;
  const Value key = Key(graph, 1);
  EXPECT_THAT(ErrorOf([&] { LecunNormal()(key, {DType::kF32, {3}}); }),
              HasSubstr("fan-in and fan-out need two dimensions; the shape is [3]"));
}

}  // namespace
}  // namespace headrace::nn
