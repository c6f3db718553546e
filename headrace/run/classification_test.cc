#include "headrace/run/classification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"

namespace headrace::run {
namespace {

using ::testing::ElementsAre;

const NamedType kImage = {"image", {DType::kF32, {1, 2, 1}}};
const NamedType kFeatures = {"features", {DType::kF32, {3}}};
const NamedType kLabel = {"label", {DType::kI32, {}}};

models::ModelConfig Mlp() {
  models::MlpConfig mlp;
  mlp.hidden = {};
  mlp.classes = 2;
  return mlp;
}

TEST(InputField, IsTheImageOrElseTheFeatures) {
  EXPECT_EQ(InputField({kLabel, kFeatures, kImage})->name, "image");
  EXPECT_EQ(InputField({kLabel, kFeatures})->name, "features");
  EXPECT_EQ(InputField({kLabel}).status().message(),
            "the data has neither `image` nor `features`, only: label");
}

TEST(ClassificationTask, NamesTheVariablesOfTheModel) {
  const Result<train::Task> task = ClassificationTask("digits", Mlp(), {kImage, kLabel});
  ASSERT_TRUE(task.ok()) << task.status().ToString();
  EXPECT_THAT(task->measure_names, ElementsAre("loss", "accuracy"));
  ASSERT_EQ(task->variables.size(), 2);
  EXPECT_EQ(task->variables[0].type.shape, Shape({2, 2}));
}

TEST(ClassificationTask, NeedsALabel) {
  EXPECT_EQ(ClassificationTask("cells", Mlp(), {kImage, {"mask", {DType::kI32, {1, 2}}}}).status().message(),
            "the data has a mask for each image, which this model cannot learn; say model.kind: unet");
  EXPECT_EQ(ClassificationTask("digits", Mlp(), {kImage}).status().message(),
            "the data has no `label` to learn, only: image; say which column it is (data.source.label)");
}

// Two pixels are two logits: a weight matrix of ones on the diagonal.
class TwoPixels : public testing::Test {
 protected:
  TwoPixels() : task_(*ClassificationTask("two", Mlp(), {kImage, kLabel})) {
    for (const nn::VariableSpec& spec : task_.variables) {
      HostTensor tensor(spec.type);
      if (spec.type.shape.rank() == 2) {
        tensor.Set(0, 1);
        tensor.Set(3, 1);
      }
      variables_.push_back(tensor);
    }
  }

  train::Task task_;
  std::vector<HostTensor> variables_;
};

TEST_F(TwoPixels, MeasuresWeightedSums) {
  Types types;
  for (const HostTensor& variable : variables_) types.push_back(variable.type());
  types.push_back({DType::kF32, {3, 1, 2, 1}});
  types.push_back({DType::kI32, {3}});
  types.push_back({DType::kF32, {3}});
  const Result<Function> function = jit::TryTrace("measure", types, [&](std::span<const Value> a) {
    std::map<std::string, Value> variables;
    for (size_t i = 0; i < task_.variables.size(); ++i) variables.emplace(task_.variables[i].name, a[i]);
    nn::Frame frame = nn::Frame::Bind(a[0].graph(), variables, {});
    const train::Measures measures =
        task_.measure(frame, {{"image", a[2]}, {"label", a[3]}, {"weight", a[4]}});
    return Values{measures.weight, measures.sums.at(0).sum, measures.sums.at(1).sum};
  });
  ASSERT_TRUE(function.ok()) << function.status().ToString();
  std::vector<HostTensor> arguments = variables_;
  // Right by 1, wrong by 1, and one that does not count.
  arguments.push_back(HostTensor::Of<float>({3, 1, 2, 1}, {1, 0, 0, 1, 9, 0}));
  arguments.push_back(HostTensor::Of<int32_t>({3}, {0, 0, 1}));
  arguments.push_back(HostTensor::Of<float>({3}, {1, 1, 0}));
  const auto results = jit::Evaluate(jit::TestClient(), *function, arguments);
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_EQ((*results)[0].At(0), 2);
  EXPECT_NEAR((*results)[1].At(0), std::log1p(std::exp(-1.0)) + std::log1p(std::exp(1.0)), 1e-5);
  EXPECT_EQ((*results)[2].At(0), 1);
}

TEST_F(TwoPixels, MixedLabelsShareTheLoss) {
  Types types;
  for (const HostTensor& variable : variables_) types.push_back(variable.type());
  types.push_back({DType::kF32, {1, 1, 2, 1}});
  types.push_back({DType::kI32, {1}});
  types.push_back({DType::kI32, {1}});
  types.push_back({DType::kF32, {1}});
  const Result<Function> function = jit::TryTrace("measure", types, [&](std::span<const Value> a) {
    std::map<std::string, Value> variables;
    for (size_t i = 0; i < task_.variables.size(); ++i) variables.emplace(task_.variables[i].name, a[i]);
    nn::Frame frame = nn::Frame::Bind(a[0].graph(), variables, {});
    const train::Measures measures =
        task_.measure(frame, {{"image", a[2]}, {"label", a[3]}, {"mix_label", a[4]}, {"mix_share", a[5]}});
    return Values{measures.sums.at(0).sum};
  });
  ASSERT_TRUE(function.ok()) << function.status().ToString();
  std::vector<HostTensor> arguments = variables_;
  arguments.push_back(HostTensor::Of<float>({1, 1, 2, 1}, {1, 0}));
  arguments.push_back(HostTensor::Of<int32_t>({1}, {0}));
  arguments.push_back(HostTensor::Of<int32_t>({1}, {1}));
  arguments.push_back(HostTensor::Of<float>({1}, {0.75}));
  const auto results = jit::Evaluate(jit::TestClient(), *function, arguments);
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_NEAR(results->at(0).At(0), 0.75 * std::log1p(std::exp(-1.0)) + 0.25 * std::log1p(std::exp(1.0)),
              1e-5);
}

TEST_F(TwoPixels, PredictsProbabilities) {
  const Result<Function> function = TracePrediction(Mlp(), task_.variables, {DType::kF32, {2, 1, 2, 1}});
  ASSERT_TRUE(function.ok()) << function.status().ToString();
  std::vector<HostTensor> arguments = variables_;
  arguments.push_back(HostTensor::Of<float>({2, 1, 2, 1}, {1, 0, 0, 3}));
  const auto results = jit::Evaluate(jit::TestClient(), *function, arguments);
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  const HostTensor& probabilities = results->front();
  EXPECT_EQ(probabilities.shape(), Shape({2, 2}));
  EXPECT_NEAR(probabilities.At(0), 1 / (1 + std::exp(-1.0)), 1e-6);
  EXPECT_NEAR(probabilities.At(3), 1 / (1 + std::exp(-3.0)), 1e-6);
  EXPECT_NEAR(probabilities.At(0) + probabilities.At(1), 1, 1e-6);
}

}  // namespace
}  // namespace headrace::run
