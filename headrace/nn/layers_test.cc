// Layers, losses and initializers against those of flax, optax and JAX (tools/reference/layers.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/graph/ops.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"
#include "headrace/nn/activations.h"
#include "headrace/nn/conv.h"
#include "headrace/nn/dropout.h"
#include "headrace/nn/linear.h"
#include "headrace/nn/losses.h"
#include "headrace/nn/norm.h"
#include "headrace/nn/softmax.h"
#include "headrace/nn/test/layer_case.h"

namespace headrace::nn {
namespace {

constexpr std::string_view kFile = "headrace/nn/testdata/layers.safetensors";

const Pooling kOverlapping = {.window = {3, 3}, .strides = {2, 2}, .padding = PaddingMode::kSame};

const LayerCase kCases[] = {
    {"linear", Made<Linear>(3, 5)},
    {"linear_sequence", Made<Linear>(3, 5)},
    {"conv", Made<Conv>(3, 4, ConvShape{.kernel = {3, 3}})},
    {"conv_strided",
     Made<Conv>(3, 4, ConvShape{.kernel = {3, 2}, .strides = {2, 2}, .padding = Padding{{1, 0}, {1, 1}}})},
    {"conv_grouped", Made<Conv>(3, 6, ConvShape{.kernel = {3, 3}, .groups = 3, .bias = false})},
    {"conv_vector", Made<Conv>(3, 2, ConvShape{.kernel = {3}, .padding = PaddingMode::kValid})},
    {"batch_norm", Made<BatchNorm>(2)},
    {"batch_norm_train", Made<BatchNorm>(2, 0.9), true},
    {"layer_norm", Made<LayerNorm>(6)},
    {"max_pool", Of([](Value x) {
       return MaxPool(x, {.window = {2, 2}, .strides = {2, 2}, .padding = PaddingMode::kSame});
     })},
    {"avg_pool", Of([](Value x) { return AvgPool(x, kOverlapping); })},
    {"avg_pool_of_elements", Of([](Value x) { return AvgPool(x, kOverlapping, /*count_padding=*/false); })},
    {"global_avg_pool", Of(GlobalAvgPool)},
    {"dropout", [](Scope scope, std::span<const Value> x) { return Dropout(scope / "drop", 0.3)(x[0]); },
     true},
    {"relu", Of(Relu)},
    {"gelu", Of(Gelu)},
    {"gelu_tanh", Of(GeluTanh)},
    {"log_sum_exp", Of(LogSumExp)},
    {"softmax", Of(Softmax)},
    {"log_softmax", Of(LogSoftmax)},
    {"cross_entropy", [](Scope, std::span<const Value> x) { return CrossEntropy(x[0], x[1]); }},
    {"cross_entropy_smoothed", [](Scope, std::span<const Value> x) { return CrossEntropy(x[0], x[1], 0.1); }},
    {"squared_error", [](Scope, std::span<const Value> x) { return SquaredError(x[0], x[1]); }},
};

class Layers : public ::testing::TestWithParam<LayerCase> {};

TEST_P(Layers, EqualFlax) { ExpectEqualsReference(GetParam(), kFile); }

INSTANTIATE_TEST_SUITE_P(All, Layers, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

TEST(Initializers, GiveTheNumbersOfJax) {
  const std::map<std::string, Initializer> initializers = {
      {"normal", NormalInit(0.02)},      {"truncated_normal", TruncatedNormalInit(0.02)},
      {"lecun_normal", LecunNormal()},   {"lecun_uniform", LecunUniform()},
      {"he_normal", HeNormal()},         {"he_uniform", HeUniform()},
      {"glorot_normal", GlorotNormal()}, {"glorot_uniform", GlorotUniform()},
  };
  const std::map<std::string, HostTensor> references = ReadCase(kFile, "init");
  ASSERT_EQ(references.size(), initializers.size());
  const auto function =
      jit::TryTrace("initialize", Types{{DType::kU32, {2}}}, [&](std::span<const Value> key) {
        Values made;
        for (const auto& [name, initializer] : initializers)
          made.push_back(initializer(key[0], references.at(name).type()));
        return made;
      });
  ASSERT_TRUE(function.ok()) << function.status().ToString();
  const auto made =
      jit::Evaluate(jit::TestClient(), *function, std::vector{HostTensor::Of<uint32_t>({2}, {0, 7})});
  ASSERT_TRUE(made.ok()) << made.status().ToString();
  size_t next = 0;
  for (const auto& [name, initializer] : initializers) {
    // erf_inv, behind the normal ones, is a polynomial that compilers fuse differently from program to
    // program.
    const bool exact = name.ends_with("uniform");
    const HostTensor& want = references.at(name);
    const HostTensor& got = made->at(next++);
    for (int64_t i = 0; i < got.size(); ++i) {
      EXPECT_NEAR(got.At(i), want.At(i), exact ? 0 : 4e-7 * std::abs(want.At(i))) << name << " " << i;
    }
  }
}

TEST(Losses, CorrectIsTheLargestLogitTheFirstOfEqualOnes) {
  const Types types = {{DType::kF32, {4, 3}}, {DType::kI32, {4}}};
  const auto function =
      jit::TryTrace("correct", types, [](std::span<const Value> x) { return Values{Correct(x[0], x[1])}; });
  const HostTensor logits = HostTensor::Of<float>({4, 3}, {1, 3, 2, 5, 5, 0, 5, 5, 0, -2, -3, -1});
  const HostTensor labels = HostTensor::Of<int32_t>({4}, {1, 0, 1, 2});
  const auto correct = jit::Evaluate(jit::TestClient(), *function, std::vector{logits, labels});
  ASSERT_TRUE(correct.ok()) << correct.status().ToString();
  EXPECT_THAT(correct->at(0).data<float>(), ::testing::ElementsAre(1, 1, 0, 1));
}

}  // namespace
}  // namespace headrace::nn
