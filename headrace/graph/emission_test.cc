// StableHLO of every op and of whole modules, against testdata/emission. HEADRACE_UPDATE_GOLDENS=1 writes it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "headrace/graph/gradient.h"
#include "headrace/graph/module.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/golden.h"
#include "headrace/graph/test/op_case.h"

namespace headrace {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kFolder = "headrace/graph/testdata/emission";

std::string GoldenPath(std::string_view name) { return fmt::format("{}/{}.mlir", kFolder, name); }

const TensorType kMatrix = {DType::kF32, {2, 3}};
const TensorType kScalar = {DType::kF32, {}};

std::string EmitCase(const OpCase& op_case) {
  Function function{.name = op_case.name, .graph = std::make_unique<Graph>(), .results = {}};
  for (const TensorType& type : op_case.operands) function.graph->Parameter(type, "x");
  function.results = function.graph->Apply(op_case.op, function.parameters());
  return EmitModule(function);
}

TEST(Emission, OfEveryOp) {
  std::map<std::string, std::string> golden;  // by file; the first case of each op
  std::set<std::string_view> seen;
  const std::vector<OpCase> cases = ReadOpCases();
  for (const OpCase& op_case : cases) {
    if (seen.insert(op_case.op->name()).second) golden[op_case.file] += EmitCase(op_case);
  }
  for (const auto& [file, text] : golden) ExpectGolden(GoldenPath("op_" + file), text);
}

template <class T>
void AddConstant(Values& values, Graph& graph, Shape shape, const std::vector<T>& elements) {
  values.push_back(Constant(graph, HostTensor::Of<T>(std::move(shape), elements)));
}

TEST(Emission, OfConstants) {
  const Function function = Trace("constants", Types{kScalar}, [](std::span<const Value> x) {
    Graph& graph = x[0].graph();
    Values values;
    AddConstant<float>(values, graph, {}, {0.1f});
    AddConstant<float>(values, graph, {}, {1e-30f});
    AddConstant<float>(values, graph, {}, {-std::numeric_limits<float>::infinity()});
    AddConstant<double>(values, graph, {}, {1.0 / 3});
    AddConstant<int64_t>(values, graph, {}, {std::numeric_limits<int64_t>::min()});
    AddConstant<uint64_t>(values, graph, {}, {std::numeric_limits<uint64_t>::max()});
    AddConstant<float>(values, graph, {3}, {0, -0.0f, 1});
    AddConstant<float>(values, graph, {0, 2}, {});
    AddConstant<uint8_t>(values, graph, {2, 2}, {0, 1, 254, 255});
    AddConstant<bool>(values, graph, {}, {true});
    AddConstant<bool>(values, graph, {2, 1, 2}, {true, false, false, true});
    values.push_back(Full(graph, {DType::kBF16, {2}}, 0.1));
    return values;
  });
  ExpectGolden(GoldenPath("constants"), EmitModule(function));
}

TEST(Emission, OfComposites) {
  const Function function = Trace("composites", Types{kMatrix}, [](std::span<const Value> x) {
    auto body = [](std::span<const Value> v) { return Values{v[0] * Logistic(v[1]), Neg(v[0])}; };
    const Values once = Composite("gate", {x[0], x[0]}, body, "alpha = 0.5 : f32");
    return Values{Composite("gate", {once[1], once[0]}, body)[0]};
  });
  ExpectGolden(GoldenPath("composites"), EmitModule(function));
}

TEST(Emission, OfEigh) {
  const Types types = {{DType::kF32, {3, 3}}, {DType::kC128, {2, 2}}};
  const Function function = Trace("eigh", types, [](std::span<const Value> x) {
    return Values{Eigh(x[0]).eigenvectors, Eigh(x[1]).eigenvalues};
  });
  ExpectGolden(GoldenPath("eigh"), EmitModule(function));
}

TEST(Emission, HashesWithOneFunctionAShape) {
  const Function function = Trace("draws", Types{{DType::kU32, {2}}}, [](std::span<const Value> key) {
    const Value step = Scalar(key[0].graph(), DType::kU32, 5);
    return Values{Uniform(FoldIn(key[0], step), kMatrix), Uniform(key[0], kMatrix)};
  });
  const std::string text = EmitModule(function);
  size_t functions = 0;
  for (size_t at = 0; (at = text.find("func.func private @threefry2x32", at)) != std::string::npos; ++at)
    ++functions;
  EXPECT_EQ(functions, 2u);  // f32[2, 3] twice, and the scalar of FoldIn
}

TEST(Emission, SkipsWhatNothingUses) {
  const Function function = Trace("dead", Types{kMatrix}, [](std::span<const Value> x) {
    (void)Exp(x[0]);
    return Values{Tanh(x[0])};
  });
  EXPECT_THAT(EmitModule(function), ::testing::Not(HasSubstr("exponential")));
}

TEST(Emission, LocatesOpsByScope) {
  const Function function = Trace("located", Types{kMatrix}, [](std::span<const Value> x) {
    auto entered = x[0].graph().Enter("layers.3/\"mlp\"");
    return Values{Tanh(x[0])};
  });
  EXPECT_THAT(EmitModule(function),
              HasSubstr(R"(stablehlo.tanh %arg0 : tensor<2x3xf32> loc("layers.3/\"mlp\""))"));
}

Function ShardedStep() {
  const std::vector<std::string> names = {"weight", "batch"};
  return Trace(
      "step", Types{kMatrix, {DType::kF32, {4, 2}}},
      [](std::span<const Value> x) {
        const Value y = ConstrainSharding(Dot(x[1], x[0]), {{{"data", "?"}, {"tensor"}}});
        return Values{x[0] - Gradient(Sum(y * y), x.first(1))[0], Sum(y)};
      },
      names);
}

TEST(Emission, OfAShardedModule) {
  const ModuleOptions options{
      .mesh = {{{"data", 2}, {"fsdp", 2}}},
      .parameter_shardings = {{{{"fsdp"}, {}}}, {{{"data", "fsdp"}, {}}}},
      .result_shardings = {{{{"fsdp"}, {}}}, Sharding::Replicated(0)},
      .donations = {0, -1},
  };
  ExpectGolden(GoldenPath("sharded"), EmitModule(ShardedStep(), options));
}

TEST(Emission, WithoutAMeshHasNoShardings) {
  const ModuleOptions options{.parameter_shardings = {{{{"fsdp"}, {}}}, {{{"data"}, {}}}}};
  EXPECT_THAT(EmitModule(ShardedStep(), options), ::testing::Not(HasSubstr("sdy")));
}

TEST(Emission, RefusesDonationsOfAnotherType) {
  try {
    EmitModule(ShardedStep(), {.donations = {1}});
    FAIL();
  } catch (const GraphError& error) {
    EXPECT_STREQ(error.what(), "donation: parameter 0 is f32[2, 3], result 1 is f32[]");
  }
}

}  // namespace
}  // namespace headrace
