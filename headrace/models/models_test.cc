// Ten training steps of each family against a JAX program on the same numbers (tools/reference/models.py).
#include "headrace/models/models.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/jit/test_client.h"
#include "headrace/run/classification.h"
#include "headrace/tensor/npz.h"
#include "headrace/train/trainer.h"

namespace headrace::models {
namespace {

constexpr int64_t kSteps = 10;
constexpr int64_t kBatch = 8;
const std::vector<NamedType> kExample = {{"image", {DType::kF32, {10, 10, 1}}}, {"label", {DType::kI32, {}}}};
const std::vector<NamedType> kBatchFields = {{"image", {DType::kF32, {kBatch, 10, 10, 1}}},
                                             {"label", {DType::kI32, {kBatch}}}};

struct Reference {
  std::map<std::string, HostTensor> arrays;

  explicit Reference(const std::string& name) {
    std::ifstream file(fmt::format("headrace/models/testdata/{}.npz", name), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    for (NamedTensor& array : DecodeNpz(std::as_bytes(std::span(bytes))).value()) {
      arrays.emplace(array.name, std::move(array.tensor));
    }
  }

  // The arrays whose names begin with `prefix`, without it.
  checkpoint::TensorMap Under(const std::string& prefix) const {
    checkpoint::TensorMap under;
    for (const auto& [name, tensor] : arrays) {
      if (name.starts_with(prefix)) under.emplace(name.substr(prefix.size()), tensor);
    }
    return under;
  }

  // Part `k` of a stack of tensors.
  HostTensor Part(const std::string& name, int64_t k) const {
    const HostTensor& stack = arrays.at(name);
    const TensorType type = {stack.dtype(), Shape({stack.shape().begin() + 1, stack.shape().end()})};
    const auto bytes = static_cast<size_t>(type.ByteCount());
    HostTensor part(type);
    std::ranges::copy(stack.bytes().subspan(static_cast<size_t>(k) * bytes, bytes),
                      part.mutable_bytes().begin());
    return part;
  }

  data::Batch BatchAt(int64_t k) const {
    return {.index = k, .fields = {{"image", Part("images", k)}, {"label", Part("labels", k)}}};
  }
};

ModelConfig ConfigOf(const std::string& name) {
  if (name == "mlp") return MlpConfig{.classes = 5, .hidden = {12, 9}};
  if (name == "strided_convnet") {
    return ConvnetConfig{
        .classes = 5, .channels = {4, 6, 5}, .strides = {2, 1, 2}, .hidden = 0, .batch_norm = false};
  }
  return ConvnetConfig{.classes = 5, .channels = {4, 6}, .hidden = 7};
}

void ExpectNear(const HostTensor& got, const HostTensor& want, double tolerance, const std::string& what) {
  ASSERT_EQ(got.type(), want.type()) << what;
  double largest = 0;
  for (int64_t i = 0; i < want.size(); ++i) largest = std::max(largest, std::fabs(want.At(i)));
  for (int64_t i = 0; i < want.size(); ++i) {
    ASSERT_NEAR(got.At(i), want.At(i), tolerance * (largest + 1e-3)) << what << ", element " << i;
  }
}

class ModelTest : public ::testing::TestWithParam<std::string> {
 protected:
  ModelTest()
      : reference_(GetParam()), task_(*run::ClassificationTask(GetParam(), ConfigOf(GetParam()), kExample)) {}

  Reference reference_;
  train::Task task_;
};

TEST_P(ModelTest, VariablesHaveTheNamesAndShapesOfTheReference) {
  const checkpoint::TensorMap parameters = reference_.Under("param/");
  EXPECT_EQ(task_.variables.size(), parameters.size());
  for (const nn::VariableSpec& spec : task_.variables) {
    ASSERT_TRUE(parameters.contains(spec.name)) << spec.name;
    EXPECT_EQ(spec.type, parameters.at(spec.name).type()) << spec.name;
  }
}

TEST_P(ModelTest, GradientsOfTheFirstBatchAreJax) {
  Types types;
  std::vector<HostTensor> arguments;
  for (const nn::VariableSpec& spec : task_.variables) {
    types.push_back(spec.type);
    arguments.push_back(reference_.Under("param/").at(spec.name));
  }
  for (const NamedTensor& field : reference_.BatchAt(0).fields) {
    types.push_back(field.tensor.type());
    arguments.push_back(field.tensor);
  }
  std::vector<std::string> trained;
  const Function function = Trace("gradients", types, [&](std::span<const Value> a) {
    std::map<std::string, Value> variables;
    Values inputs;
    for (size_t i = 0; i < task_.variables.size(); ++i) {
      variables.emplace(task_.variables[i].name, a[i]);
      if (!task_.variables[i].trained) continue;
      trained.push_back(task_.variables[i].name);
      inputs.push_back(a[i]);
    }
    nn::Frame frame =
        nn::Frame::Bind(a[0].graph(), variables, {.train = true, .compute = DType::kF32, .key = {}});
    const size_t count = task_.variables.size();
    const train::Measures measures = task_.measure(frame, {{"image", a[count]}, {"label", a[count + 1]}});
    return Gradient(measures.sums[0].sum / measures.weight, inputs);
  });
  const auto gradients = jit::Evaluate(jit::TestClient(), function, arguments);
  ASSERT_TRUE(gradients.ok()) << gradients.status().ToString();
  for (size_t i = 0; i < trained.size(); ++i) {
    // f32 sums over a batch in another order, relative to the largest element.
    ExpectNear(gradients->at(i), reference_.arrays.at("grad/" + trained[i]), 2e-5, trained[i]);
  }
}

TEST_P(ModelTest, TenLossesOfTrainingAreJax) {
  optim::AdamwConfig adamw;
  adamw.learning_rate = 0.01;
  adamw.weight_decay = 0.01;
  auto trainer = train::Trainer::Create(*jit::Devices::Of(jit::TestClient()), task_, kBatchFields,
                                        {.optimizer = adamw, .schedule = {}, .total_steps = kSteps});
  ASSERT_TRUE(trainer.ok()) << trainer.status().ToString();
  ASSERT_TRUE((*trainer)->Initialize(0).ok());
  checkpoint::Contents contents = *(*trainer)->ToHost();
  contents.model = reference_.Under("param/");
  ASSERT_TRUE((*trainer)->Restore(contents).ok());

  for (int64_t k = 0; k < kSteps; ++k) {
    const train::StepResult result = *(*(*trainer)->Step(reference_.BatchAt(k))).Wait();
    // Adam divides by the root of tiny squares in its first steps, which magnifies rounding.
    EXPECT_NEAR(result.metrics[0], reference_.arrays.at("losses").At(k), 1e-4) << "step " << k;
  }
  const checkpoint::TensorMap model = (*trainer)->ToHost()->model;
  for (const auto& [name, want] : reference_.Under("state/")) ExpectNear(model.at(name), want, 1e-3, name);
}

TEST(Convnet, TakesAStrideForEachBlockOrNone) {
  EXPECT_TRUE((ConvnetConfig{.channels = {4, 6}, .strides = {1, 2}}).Validate().ok());
  EXPECT_EQ((ConvnetConfig{.channels = {4, 6}, .strides = {2}}).Validate().message(),
            "strides: 1 of them for 2 blocks; give one for each of channels, or none");
}

INSTANTIATE_TEST_SUITE_P(All, ModelTest, ::testing::Values("mlp", "convnet", "strided_convnet"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace headrace::models
