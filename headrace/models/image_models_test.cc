// The image families against PyTorch at the same weights (tools/reference/image_models.py): logits, loss,
// gradients.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <sstream>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/models/models.h"
#include "headrace/nn/losses.h"
#include "headrace/tensor/npz.h"

namespace headrace::models {
namespace {

constexpr int64_t kClasses = 10, kBatch = 8, kSize = 64;

// The numbers from 0 to 1 that the reference gives to a name.
uint32_t Mixed(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7FEB352D;
  x = (x ^ (x >> 15)) * 0x846CA68B;
  return x ^ (x >> 16);
}
std::vector<double> Numbers(const std::string& name, int64_t count) {
  const uint32_t seed = Mixed(nn::PathHash(name));
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(Mixed(static_cast<uint32_t>(i) + seed) * 0x1p-32);
  return numbers;
}

HostTensor ParameterOf(const nn::VariableSpec& spec) {
  const Shape& shape = spec.type.shape;
  const int64_t inputs = shape.ElementCount() / std::max<int64_t>(1, shape.rank() > 0 ? shape[0] : 1);
  const auto fan_in = static_cast<double>(inputs);
  HostTensor tensor(spec.type);
  const std::vector<double> numbers = Numbers(spec.name, tensor.size());
  for (int64_t i = 0; i < tensor.size(); ++i) {
    const double u = numbers[static_cast<size_t>(i)];
    double value = 0.2 * (2 * u - 1);
    if (shape.rank() == 4)
      value = (2 * u - 1) * std::sqrt(6 / fan_in);
    else if (shape.rank() == 2)
      value = (2 * u - 1) * std::sqrt(3 / fan_in);
    else if (spec.name.ends_with(".weight"))
      value = 0.8 + 0.4 * u;
    else if (spec.name.ends_with(".running_var"))
      value = 0.5 + u;
    tensor.Set(i, static_cast<float>(value));
  }
  return tensor;
}

std::vector<nn::VariableSpec> VariablesOf(const ModelConfig& config, int64_t size) {
  Graph scratch;
  nn::Frame frame = nn::Frame::Declare(scratch);
  MakeModel(config, nn::Scope(frame), {size, size, 3});
  return frame.specs();
}

int64_t ParameterCount(const ModelConfig& config, int64_t size) {
  int64_t count = 0;
  for (const nn::VariableSpec& spec : VariablesOf(config, size)) {
    if (spec.trained) count += spec.type.shape.ElementCount();
  }
  return count;
}

struct Family {
  std::string name;
  ModelConfig config;
  // Of gradients, against their norm. Where the number of one unit lies at a corner of its activation, single
  // and double precision go different ways.
  double tolerance = 1e-4;
};
void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

// What one trace of a model gives, in evaluation and in training.
struct Results {
  HostTensor eval, train, loss;
  std::map<std::string, HostTensor> gradients, gradients_in_training, state;
};

Results RunBoth(const ModelConfig& config, bool in_training) {
  const std::vector<nn::VariableSpec> specs = VariablesOf(config, kSize);
  Types types;
  std::vector<HostTensor> arguments;
  for (const nn::VariableSpec& spec : specs) {
    types.push_back(spec.type);
    arguments.push_back(ParameterOf(spec));
  }
  HostTensor images({DType::kF32, {kBatch, kSize, kSize, 3}});
  const std::vector<double> numbers = Numbers("images", images.size());
  for (int64_t i = 0; i < images.size(); ++i)
    images.Set(i, static_cast<float>(2 * numbers[static_cast<size_t>(i)] - 1));
  HostTensor labels({DType::kI32, {kBatch}});
  for (int64_t i = 0; i < kBatch; ++i) labels.Set(i, static_cast<double>((7 * i + 3) % kClasses));
  for (const HostTensor* input : {&images, &labels}) {
    types.push_back(input->type());
    arguments.push_back(*input);
  }

  HostTensor weights({DType::kF32, {kBatch, kClasses}});
  const std::vector<double> shares = Numbers("logits", weights.size());
  for (int64_t i = 0; i < weights.size(); ++i) weights.Set(i, 2 * shares[static_cast<size_t>(i)] - 1);

  std::vector<std::string> trained, moved;
  const Function function = Trace("both", types, [&](std::span<const Value> a) {
    std::map<std::string, Value> variables;
    Values inputs;
    for (size_t i = 0; i < specs.size(); ++i) {
      variables.emplace(specs[i].name, a[i]);
      if (!specs[i].trained) continue;
      trained.push_back(specs[i].name);
      inputs.push_back(a[i]);
    }
    Graph& graph = a[0].graph();
    const auto logits_in = [&](nn::Frame& frame) {
      return (*MakeModel(config, nn::Scope(frame), {kSize, kSize, 3}))(a[specs.size()]);
    };
    nn::Frame eval = nn::Frame::Bind(graph, variables, {});
    nn::Frame train = nn::Frame::Bind(graph, variables, {.train = true, .key = Key(graph, 1)});
    Values results = {logits_in(eval), logits_in(train)};
    results.push_back(Mean(nn::CrossEntropy(results[1], a.back()), Ints{0}));
    const Value sum = Sum(results[0] * Constant(graph, weights), Ints{0, 1});
    for (const Value& gradient : Gradient(sum, inputs)) results.push_back(gradient);
    if (in_training) {
      for (const Value& gradient : Gradient(results[2], inputs)) results.push_back(gradient);
    }
    for (const auto& [name, value] : train.variables()) {
      if (!name.ends_with("running_mean")) continue;
      moved.push_back(name);
      results.push_back(value);
    }
    return results;
  });
  auto values = jit::Evaluate(jit::TestClient(), function, arguments);
  EXPECT_TRUE(values.ok()) << values.status().ToString();
  Results results{.eval = values->at(0), .train = values->at(1), .loss = values->at(2)};
  size_t next = 3;
  for (const std::string& name : trained) results.gradients.emplace(name, values->at(next++));
  if (in_training) {
    for (const std::string& name : trained) results.gradients_in_training.emplace(name, values->at(next++));
  }
  for (const std::string& name : moved) results.state.emplace(name, values->at(next++));
  return results;
}

class ImageModel : public ::testing::TestWithParam<Family> {
 protected:
  static void SetUpTestSuite() {
    std::ifstream file("headrace/models/testdata/image_models.npz", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    for (NamedTensor& array : DecodeNpz(std::as_bytes(std::span(bytes))).value()) {
      arrays.emplace(array.name, std::move(array.tensor));
    }
  }
  static const HostTensor& Want(const std::string& what) {
    return arrays.at(fmt::format("{}/{}", GetParam().name, what));
  }
  static std::vector<std::string> Names(const std::string& what) {
    const auto bytes = Want(what).data<uint8_t>();
    std::istringstream text(std::string(bytes.begin(), bytes.end()));
    std::vector<std::string> names;
    for (std::string name; std::getline(text, name);) names.push_back(name);
    return names;
  }
  // Relative to the largest of the array: f32 against f64 through many layers.
  static void ExpectNear(const HostTensor& got, const HostTensor& want, double tolerance,
                         const std::string& what) {
    ASSERT_EQ(got.shape(), want.shape()) << what;
    double largest = 0;
    for (int64_t i = 0; i < want.size(); ++i) largest = std::max(largest, std::fabs(want.At(i)));
    for (int64_t i = 0; i < want.size(); ++i)
      ASSERT_NEAR(got.At(i), want.At(i), tolerance * largest) << what << " " << i;
  }

  // Of each parameter: the norm of its gradient, its product with fixed numbers, its first elements; relative
  // to the norm.
  static void ExpectGradients(const std::map<std::string, HostTensor>& gradients, const HostTensor& want) {
    const std::vector<std::string> names = Names("names");
    ASSERT_EQ(names.size(), gradients.size());
    for (size_t n = 0; n < names.size(); ++n) {
      ASSERT_TRUE(gradients.contains(names[n])) << names[n];
      const HostTensor& gradient = gradients.at(names[n]);
      const auto want_at = [&](int64_t i) { return want.At(static_cast<int64_t>(n) * want.shape()[1] + i); };
      const std::vector<double> weights = Numbers(names[n] + "?", gradient.size());
      double squares = 0, product = 0;
      for (int64_t i = 0; i < gradient.size(); ++i) {
        squares += gradient.At(i) * gradient.At(i);
        product += gradient.At(i) * (2 * weights[static_cast<size_t>(i)] - 1);
      }
      const double allowed = GetParam().tolerance * want_at(1);
      EXPECT_NEAR(std::sqrt(squares), want_at(1), allowed) << names[n];
      EXPECT_NEAR(product, want_at(2), allowed) << names[n];
      for (int64_t i = 0; i < std::min<int64_t>(8, gradient.size()); ++i) {
        EXPECT_NEAR(gradient.At(i), want_at(3 + i), allowed) << names[n] << " " << i;
      }
    }
  }

  static std::map<std::string, HostTensor> arrays;  // NOLINT: one copy for all tests
};
std::map<std::string, HostTensor> ImageModel::arrays;

TEST_P(ImageModel, EqualsPyTorch) {
  const bool in_training = arrays.contains(GetParam().name + "/gradients_in_training");
  const Results results = RunBoth(GetParam().config, in_training);
  ExpectNear(results.eval, Want("eval"), 2e-5, "logits in evaluation");
  ExpectNear(results.train, Want("train"), 2e-4, "logits in training");
  EXPECT_NEAR(results.loss.At(0), Want("loss").At(0), 1e-4);
  ExpectGradients(results.gradients, Want("gradients"));
  if (in_training) ExpectGradients(results.gradients_in_training, Want("gradients_in_training"));
  const std::vector<std::string> means = Names("mean_names");
  EXPECT_EQ(means.size(), results.state.size());
  for (size_t n = 0; n < means.size(); ++n) {
    for (int64_t i = 0; i < 8; ++i) {
      EXPECT_NEAR(results.state.at(means[n]).At(i), Want("means").At(static_cast<int64_t>(n) * 8 + i), 1e-3)
          << means[n];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ImageModel,
    ::testing::Values(Family{"resnet_18", ResnetConfig{.classes = kClasses, .depth = 18}},
                      Family{"resnet_50", ResnetConfig{.classes = kClasses, .depth = 50}, 1e-2},
                      Family{"mobilenet_v2", MobilenetV2Config{.classes = kClasses, .dropout = 0}, 3e-2},
                      Family{"efficientnet_lite",
                             EfficientnetLiteConfig{.classes = kClasses, .dropout = 0.0}}),
    [](const auto& info) { return info.param.name; });

// As the papers and torchvision say.
TEST(ImageModels, HaveAsManyParametersAsTheirOriginals) {
  const std::map<int64_t, int64_t> resnets = {
      {18, 11689512}, {34, 21797672}, {50, 25557032}, {101, 44549160}, {152, 60192808}};
  for (const auto& [depth, count] : resnets)
    EXPECT_EQ(ParameterCount(ResnetConfig{.depth = depth}, 224), count) << depth;
  EXPECT_EQ(ParameterCount(MobilenetV2Config(), 224), 3504872);
  EXPECT_EQ(ParameterCount(MobilenetV2Config{.width = 0.5}, 224), 1968680);
  const std::vector<int64_t> lites = {4652008, 5416680, 6092072, 8197096, 13006568};
  for (size_t i = 0; i < lites.size(); ++i) {
    EXPECT_EQ(ParameterCount(EfficientnetLiteConfig{.variant = static_cast<int64_t>(i)}, 224), lites[i]) << i;
  }
}

TEST(ImageModels, SayWhatTheyTake) {
  ResnetConfig resnet;
  EXPECT_THAT(config::Load("{depth: 20}", "run.yaml", {}, resnet).message(),
              ::testing::HasSubstr("there is a ResNet of 18, 34, 50, 101 and 152 layers, not of 20"));
  for (const ModelConfig& config : {ModelConfig(ResnetConfig()), ModelConfig(MobilenetV2Config()),
                                    ModelConfig(EfficientnetLiteConfig())}) {
    Graph scratch;
    nn::Frame frame = nn::Frame::Declare(scratch);
    try {
      MakeModel(config, nn::Scope(frame), {100});
      ADD_FAILURE() << "no error";
    } catch (const GraphError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("takes images [height, width, channels], not [100]"));
    }
  }
}

}  // namespace
}  // namespace headrace::models
