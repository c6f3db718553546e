// 20 steps of each optimizer on the CPU plugin against optax (tools/reference/optimizers.py).
#include "headrace/optim/optimizers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/jit/jit.h"
#include "headrace/jit/test_client.h"
#include "headrace/optim/clip.h"
#include "headrace/optim/schedule.h"
#include "headrace/tensor/npz.h"

namespace headrace::optim {
namespace {

constexpr int64_t kSteps = 20;

const std::map<std::string, HostTensor>& Reference() {
  static const auto arrays = [] {
    std::ifstream file("headrace/optim/testdata/optimizers.npz", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::map<std::string, HostTensor> by_name;
    for (NamedTensor& array : DecodeNpz(std::as_bytes(std::span(bytes))).value()) {
      by_name.emplace(array.name, std::move(array.tensor));
    }
    return by_name;
  }();
  return arrays;
}

struct Case {
  std::string name;
  OptimizerConfig optimizer;
  ScheduleConfig schedule = ConstantConfig();
};

template <class T>
T With(T config, double learning_rate) {
  config.learning_rate = learning_rate;
  return config;
}

SgdConfig Momentum(bool nesterov) {
  SgdConfig config = With(SgdConfig(), 0.1);
  config.momentum = 0.9;
  config.nesterov = nesterov;
  return config;
}

std::vector<Case> Cases() {
  AdamConfig betas = With(AdamConfig(), 0.05);
  betas.beta1 = 0.8;
  betas.beta2 = 0.95;
  betas.epsilon = 1e-3;
  AdamwConfig decayed = With(AdamwConfig(), 0.05);
  decayed.weight_decay = 0.1;
  AdamwConfig clipped = With(AdamwConfig(), 0.05);
  clipped.clip_value = 0.5;
  clipped.clip_norm = 0.7;
  CosineConfig cosine;
  cosine.warmup_steps = 5;
  cosine.end = 0.1;
  ConstantConfig warmup;
  warmup.warmup_steps = 4;
  return {{"sgd", With(SgdConfig(), 0.1)},
          {"sgd_momentum", Momentum(false)},
          {"sgd_nesterov", Momentum(true)},
          {"adam", With(AdamConfig(), 0.05)},
          {"adam_betas", betas},
          {"adamw", decayed},
          {"adamw_clipped", clipped},
          {"sgd_cosine", With(SgdConfig(), 0.1), cosine},
          {"sgd_warmup", With(SgdConfig(), 0.1), warmup}};
}

// Arguments: count, w, b, then the slots of each. Results: loss, then the arguments after the step.
ValueFn StepOf(const Case& test) {
  return [&test](std::span<const Value> a) {
    const auto optimizer = MakeOptimizer(test.optimizer);
    const OptimizerOptions& options = OptionsOf(test.optimizer);
    Graph& graph = a[0].graph();
    const Value x = Constant(graph, Reference().at("x"));
    const Value y = Constant(graph, Reference().at("y"));
    const Value error = Tanh(Dot(x, a[1]) + a[2]) - y;
    const Value loss = Mean(error * error);
    Values gradients = Gradient(loss, a.subspan(1, 2));
    if (options.clip_value) gradients = ClipByValue(gradients, *options.clip_value);
    if (options.clip_norm) gradients = ClipByGlobalNorm(gradients, GlobalNorm(gradients), *options.clip_norm);
    const Value rate = options.learning_rate * ScheduleFactor(test.schedule, a[0], kSteps);

    Values results = {loss, a[0] + 1.0};
    Values slots;
    const size_t slot_count = (a.size() - 3) / 2;
    for (size_t i = 0; i < 2; ++i) {
      const Update update = optimizer->Step({.parameter = a[1 + i],
                                             .gradient = gradients[i],
                                             .slots = a.subspan(3 + i * slot_count, slot_count),
                                             .count = a[0],
                                             .learning_rate = rate});
      results.push_back(update.parameter);
      slots.insert(slots.end(), update.slots.begin(), update.slots.end());
    }
    results.insert(results.end(), slots.begin(), slots.end());
    return results;
  };
}

class OptaxTest : public ::testing::TestWithParam<Case> {};

TEST_P(OptaxTest, TwentyStepsAreEqual) {
  const Case& test = GetParam();
  const jit::Devices devices = *jit::Devices::Of(jit::TestClient());
  jit::Jit step(devices, "step", StepOf(test));

  std::vector<jit::Array> state;
  auto put = [&](const HostTensor& tensor) { state.push_back(*devices.Put(tensor)); };
  put(HostTensor::Scalar<int32_t>(0));
  put(Reference().at("w"));
  put(Reference().at("b"));
  for (const char* name : {"w", "b"}) {
    for (const SlotSpec& slot : MakeOptimizer(test.optimizer)->Slots(Reference().at(name).type())) {
      put(HostTensor(slot.type));
    }
  }

  const HostTensor& losses = Reference().at(test.name + "/loss");
  const HostTensor& weights = Reference().at(test.name + "/w");
  for (int64_t k = 0; k < kSteps; ++k) {
    std::vector<const jit::Array*> arguments;
    for (const jit::Array& array : state) arguments.push_back(&array);
    auto results = step(arguments);
    ASSERT_TRUE(results.ok()) << results.status().ToString();
    // Rounding of f32 sums in another order, carried through 20 steps.
    EXPECT_NEAR(results->at(0).ToHost()->At(0), losses.At(k), 2e-6 * std::fabs(losses.At(k))) << "step " << k;
    state.clear();
    for (size_t i = 1; i < results->size(); ++i) state.push_back(std::move(results->at(i)));
    const HostTensor w = *state[1].ToHost();
    for (int64_t i = 0; i < w.size(); ++i) {
      const double want = weights.At(k * w.size() + i);
      EXPECT_NEAR(w.At(i), want, 5e-6 * (1 + std::fabs(want))) << "step " << k << ", element " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, OptaxTest, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param.name; });

TEST(Optimizers, AConfigNamesItsKindAndNumbers) {
  struct Config {
    OptimizerConfig optimizer;
    void Fields(config::Visitor& v) { v.Field("optimizer", optimizer, "How parameters move"); }
  } config;
  ASSERT_TRUE(
      config::Load("optimizer: {kind: sgd, learning_rate: 0.1, momentum: 0.9}", "run.yaml", {}, config).ok());
  EXPECT_EQ(std::get<SgdConfig>(config.optimizer).momentum, 0.9);
  const Status status = config::Load("optimizer: {kind: sgd, beta1: 0.9}", "run.yaml", {}, config);
  EXPECT_NE(status.message().find("beta1"), std::string::npos) << status.ToString();
}

}  // namespace
}  // namespace headrace::optim
