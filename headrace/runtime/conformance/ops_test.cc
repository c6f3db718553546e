// Operations that a compiler might lack: each runs and gives the known result.
#include <cmath>
#include <fstream>
#include <sstream>

#include "headrace/runtime/conformance/conformance.h"

namespace headrace::runtime {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

class OpsConformance : public Conformance {
 protected:
  // Runs `body` on %x, and gives the first result as f64.
  std::vector<double> Run(const HostTensor& x, const TensorType& result, const std::string& body,
                          const std::string& elsewhere = "") const {
    Executable program =
        Compile("module {\n  func.func public @main(%x: " + x.type().ToMlir() + ") -> " + result.ToMlir() +
                " {\n" + body + "\n    return %y : " + result.ToMlir() + "\n  }\n" + elsewhere + "}\n");
    Buffer argument = Put(x);
    const HostTensor y = Must(Must(program.Execute({{&argument}}))[0].ToHost());
    std::vector<double> values;
    for (int64_t i = 0; i < y.size(); ++i) values.push_back(y.At(i));
    return values;
  }
};

TEST_P(OpsConformance, DoublePrecision) {
  const HostTensor x = HostTensor::Of<double>({2}, {1e-17, 2});
  EXPECT_THAT(Run(x, x.type(), "    %y = stablehlo.sqrt %x : tensor<2xf64>"),
              ElementsAre(std::sqrt(1e-17), std::sqrt(2.0)));
}

TEST_P(OpsConformance, ProductsOfSmallFloats) {
  for (const auto& [dtype, mlir] :
       {std::pair(DType::kBF16, "bf16"), std::pair(DType::kF16, "f16"),
        std::pair(DType::kF8E4M3FN, "f8E4M3FN"), std::pair(DType::kF8E5M2, "f8E5M2")}) {
    const HostTensor x = HostTensor::Of<float>({2, 2}, {1, 2, 0.5, -4}).ConvertTo(dtype);
    const std::string type = std::string("tensor<2x2x") + mlir + ">";
    EXPECT_THAT(Run(x, {DType::kF32, {2, 2}},
                    "    %y = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (" + type + ", " +
                        type + ") -> tensor<2x2xf32>"),
                ElementsAre(2, -6, -1.5, 17))
        << mlir;
  }
}

TEST_P(OpsConformance, FourBitIntegersInside) {
  const HostTensor x = HostTensor::Of<int8_t>({4}, {-8, -1, 3, 7});
  EXPECT_THAT(Run(x, x.type(),
                  "    %q = stablehlo.convert %x : (tensor<4xi8>) -> tensor<4xi4>\n"
                  "    %y = stablehlo.convert %q : (tensor<4xi4>) -> tensor<4xi8>"),
              ElementsAre(-8, -1, 3, 7));
}

TEST_P(OpsConformance, Fft) {
  const HostTensor x = HostTensor::Of<float>({4}, {1, 2, 3, 4});
  EXPECT_THAT(
      Run(x, {DType::kF32, {3}},
          "    %f = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>\n"
          "    %y = stablehlo.real %f : (tensor<3xcomplex<f32>>) -> tensor<3xf32>"),
      Pointwise(FloatNear(1e-6f), {10.0f, -2.0f, -2.0f}));
}

TEST_P(OpsConformance, Cholesky) {
  const HostTensor x = HostTensor::Of<float>({2, 2}, {4, 2, 2, 5});
  EXPECT_THAT(
      Run(x, {DType::kF32, {2, 2}},
          "    %c = stablehlo.cholesky %x, lower = true : tensor<2x2xf32>\n"
          "    %i = stablehlo.iota dim = 0 : tensor<2x2xi32>\n"
          "    %j = stablehlo.iota dim = 1 : tensor<2x2xi32>\n"
          "    %l = stablehlo.compare GE, %i, %j : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>\n"
          "    %z = stablehlo.constant dense<0.0> : tensor<2x2xf32>\n"
          "    %y = stablehlo.select %l, %c, %z : tensor<2x2xi1>, tensor<2x2xf32>"),
      Pointwise(FloatNear(1e-6f), {2.0f, 0.0f, 1.0f, 2.0f}));
}

TEST_P(OpsConformance, TriangularSolve) {
  const HostTensor x = HostTensor::Of<float>({2, 1}, {4, 10});
  EXPECT_THAT(
      Run(x, {DType::kF32, {2, 1}},
          "    %a = stablehlo.constant dense<[[2.0, 0.0], [1.0, 4.0]]> : tensor<2x2xf32>\n"
          "    %y = \"stablehlo.triangular_solve\"(%a, %x) {left_side = true, lower = true, unit_diagonal = "
          "false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf32>, tensor<2x1xf32>) -> "
          "tensor<2x1xf32>"),
      Pointwise(FloatNear(1e-6f), {2.0f, 2.0f}));
}

TEST_P(OpsConformance, Chlo) {
  const HostTensor x = HostTensor::Of<float>({5}, {3, -1, 7, 0.5, 7});
  EXPECT_THAT(Run(x, {DType::kI32, {3}},
                  "    %v, %y = chlo.top_k(%x, k = 3) : tensor<5xf32> -> (tensor<3xf32>, tensor<3xi32>)"),
              ElementsAre(2, 4, 0));
  EXPECT_THAT(Run(x, x.type(), "    %y = chlo.erf %x : tensor<5xf32> -> tensor<5xf32>"),
              Pointwise(FloatNear(1e-6f), {std::erf(3.0f), std::erf(-1.0f), 1.0f, std::erf(0.5f), 1.0f}));
  EXPECT_THAT(Run(x, x.type(), "    %y = chlo.lgamma %x : tensor<5xf32> -> tensor<5xf32>").at(2),
              testing::DoubleNear(std::lgamma(7.0), 1e-5));
}

TEST_P(OpsConformance, Composite) {
  const HostTensor x = HostTensor::Of<float>({2}, {1, 2});
  EXPECT_THAT(
      Run(x, x.type(),
          "    %y = stablehlo.composite \"headrace.double\" %x {decomposition = @double, version = 1 : i32}"
          " : (tensor<2xf32>) -> tensor<2xf32>",
          "  func.func private @double(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
          "    %b = stablehlo.add %a, %a : tensor<2xf32>\n    return %b : tensor<2xf32>\n  }\n"),
      ElementsAre(2, 4));
}

// A program as JAX exports it, as text and as bytecode.
TEST_P(OpsConformance, ExportedPrograms) {
  for (const std::string file : {"exported.mlir", "exported.mlirbc"}) {
    std::ifstream stream("headrace/runtime/testdata/" + file, std::ios::binary);
    ASSERT_TRUE(stream.good()) << file;
    std::stringstream code;
    code << stream.rdbuf();
    auto program = client_->Compile(code.str());
    ASSERT_TRUE(program.ok()) << file << ": " << program.status().ToString();
    Buffer x = Put(HostTensor::Of<float>({3, 4}, std::vector<float>(12, 0.25)));
    Buffer w = Put(HostTensor::Of<float>({4, 2}, {1, 0, 1, 0, 1, 0, 1, 0}));
    std::vector<Buffer> outputs = Must(program->Execute({{&x, &w}}));
    const float t = std::tanh(1.0f);
    EXPECT_THAT(Values<float>(outputs[0]), Pointwise(FloatNear(1e-6f), {t, 0.0f, t, 0.0f, t, 0.0f}));
    EXPECT_THAT(Values<float>(outputs[1]), Pointwise(FloatNear(1e-6f), {3 * t}));
  }
}

INSTANTIATE_TEST_SUITE_P(Plugins, OpsConformance, testing::ValuesIn(PluginsUnderTest()), PluginName);

}  // namespace
}  // namespace headrace::runtime
