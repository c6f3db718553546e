// What well-known models cost, against the figures that their papers and model cards give.
#include "headrace/graph/flops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/models/models.h"

namespace headrace::models {
namespace {

using ::testing::IsEmpty;

// Of the outputs for one example; with `train`, of the gradients of their sum too.
Flops CountModel(const ModelConfig& config, const TensorType& example, bool train = false) {
  Graph scratch;
  nn::Frame declared = nn::Frame::Declare(scratch);
  MakeModel(config, nn::Scope(declared), example.shape);
  Ints dims = example.shape.dims();
  dims.insert(dims.begin(), 1);
  Types types = {{example.dtype, Shape(dims)}};
  for (const nn::VariableSpec& spec : declared.specs()) types.push_back(spec.type);
  return CountFlops(Trace("model", types, [&](std::span<const Value> a) {
    std::map<std::string, Value> variables;
    Values parameters;
    for (size_t i = 0; i < declared.specs().size(); ++i) {
      variables.emplace(declared.specs()[i].name, a[i + 1]);
      if (declared.specs()[i].trained) parameters.push_back(a[i + 1]);
    }
    nn::Frame frame = nn::Frame::Bind(a[0].graph(), std::move(variables), {.train = train, .key = {}});
    const Value out = (*MakeModel(config, nn::Scope(frame), example.shape))(a[0]);
    if (!train) return Values{out};
    Values results = Gradient(Sum(out), parameters);
    results.push_back(out);
    return results;
  }));
}

TEST(Flops, Resnet50IsFourBillionMultiplications) {
  const TensorType image = {DType::kF32, {224, 224, 3}};
  const Flops flops = CountModel(ResnetConfig{.depth = 50}, image);
  EXPECT_NEAR(flops.products / 2, 4.089e9, 0.001e9);  // torchvision: 4.09 GFLOPS, which are multiplications
  EXPECT_LT(flops.others, 0.02 * flops.products);
  EXPECT_THAT(flops.uncounted, IsEmpty());
  EXPECT_NEAR(CountModel(ResnetConfig{.depth = 18}, image).products / 2, 1.814e9, 0.001e9);
  // The first layer needs no gradient of the image.
  EXPECT_NEAR(CountModel(ResnetConfig{.depth = 18}, image, /*train=*/true).products / flops.products,
              (3 * 1.814 - 0.118) / 4.089, 0.02);
}

TEST(Flops, MobilenetIsThreeHundredMillion) {
  const Flops flops = CountModel(MobilenetV2Config{}, {DType::kF32, {224, 224, 3}});
  EXPECT_NEAR(flops.products / 2, 300.8e6, 0.2e6);  // torchvision: 0.30 GFLOPS
}

TEST(Flops, VitBaseIsSeventeenBillion) {
  const Flops flops = CountModel(VitConfig{}, {DType::kF32, {224, 224, 3}});
  EXPECT_NEAR(flops.products / 2, 17.56e9, 0.02e9);  // torchvision: 17.56 GFLOPS
}

// 2 N T forward and 6 N T in all for N parameters and T tokens, and the attention of each to each, whose
// weights the way back works out again.
TEST(Flops, Gpt2IsSixForEachParameterAndToken) {
  constexpr double kTokens = 1024, kWidth = 768, kLayers = 12;
  constexpr double kParameters = kLayers * 12 * kWidth * kWidth + 50257 * kWidth;  // those of products
  constexpr double kAttention = kLayers * 2 * 2 * kTokens * kTokens * kWidth;
  const GptConfig gpt2{.vocab_size = 50257};
  const TensorType text = {DType::kI32, {static_cast<int64_t>(kTokens)}};
  EXPECT_EQ(CountModel(gpt2, text).products, 2 * kParameters * kTokens + kAttention);
  EXPECT_EQ(CountModel(gpt2, text, /*train=*/true).products, 6 * kParameters * kTokens + 3.5 * kAttention);
}

}  // namespace
}  // namespace headrace::models
