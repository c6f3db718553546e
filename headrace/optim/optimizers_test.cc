// 20 steps of each optimizer on the CPU plugin against optax (tools/reference/optimizers.py).
#include "headrace/optim/optimizers.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/jit/jit.h"
#include "headrace/jit/test_client.h"
#include "headrace/optim/update_rule.h"
#include "headrace/tensor/npz.h"

namespace headrace::optim {
namespace {

constexpr int64_t kSteps = 20;
constexpr std::array<int64_t, 3> kKept = {0, 1, kSteps - 1};
const std::vector<std::string> kNames = {"first.weight", "first.bias", "second.weight"};

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

// A case is written as a user writes it.
struct Case {
  std::string name;
  std::string optimizer;
  std::string schedule = "kind: constant";
};

struct Config {
  OptimizerConfig optimizer;
  ScheduleConfig schedule;
  void Fields(config::Visitor& v) {
    v.Field("optimizer", optimizer, "");
    v.Field("schedule", schedule, "");
  }
};

Status Load(const std::string& optimizer, const std::string& schedule, Config& config) {
  return config::Load(fmt::format("optimizer: {{{}}}\nschedule: {{{}}}", optimizer, schedule), "run.yaml", {},
                      config);
}

std::vector<Case> Cases() {
  return {
      {"sgd", "kind: sgd, learning_rate: 0.1"},
      {"sgd_momentum", "kind: sgd, learning_rate: 0.1, momentum: 0.9"},
      {"sgd_nesterov", "kind: sgd, learning_rate: 0.1, momentum: 0.9, nesterov: true"},
      {"adam", "kind: adam, learning_rate: 0.05"},
      {"adam_betas", "kind: adam, learning_rate: 0.05, b1: 0.8, b2: 0.95, eps: 1e-3, eps_root: 1e-4"},
      {"adam_nesterov", "kind: adam, learning_rate: 0.05, nesterov: true"},
      {"adamw", "kind: adamw, learning_rate: 0.05, weight_decay: 0.1"},
      {"adamw_nesterov", "kind: adamw, learning_rate: 0.05, nesterov: true"},
      {"adamw_clipped", "kind: adamw, learning_rate: 0.05, clip_value: 0.5, clip_norm: 0.7"},
      {"adamw_masked", "kind: adamw, learning_rate: 0.05, weight_decay: 0.3, no_decay: [\"*.bias\"]"},
      {"lion", "kind: lion, learning_rate: 0.01"},
      {"lion_masked",
       "kind: lion, learning_rate: 0.01, b1: 0.8, b2: 0.9, weight_decay: 0.5, no_decay: [\"*.bias\"]"},
      {"adafactor", "kind: adafactor, learning_rate: 0.1"},
      {"adafactor_factored", "kind: adafactor, learning_rate: 0.1, min_dim_size_to_factor: 3"},
      {"adafactor_all",
       "kind: adafactor, learning_rate: 0.1, min_dim_size_to_factor: 3, decay_rate: 0.7, "
       "multiply_by_parameter_scale: false, clipping_threshold: 0.5, momentum: 0.9, weight_decay_rate: 1e-2, "
       "eps: 1e-4, no_decay: [\"*.bias\"]"},
      {"adafactor_unclipped",
       "kind: adafactor, learning_rate: 0.1, clipping_threshold: null, factored: false"},
      {"lamb", "kind: lamb, learning_rate: 0.05"},
      {"lamb_decayed",
       "kind: lamb, learning_rate: 0.05, b1: 0.8, b2: 0.95, eps: 1e-4, weight_decay: 0.2, no_decay: "
       "[\"*.bias\"]"},
      {"muon", "kind: muon, learning_rate: 0.05"},
      {"muon_all",
       "kind: muon, learning_rate: 0.05, ns_coeffs: [3.0, -3.2, 1.2], ns_steps: 4, beta: 0.9, eps: 1e-6, "
       "weight_decay: 0.1, nesterov: false, adam_b1: 0.8, adam_b2: 0.95, adam_eps_root: 1e-5, "
       "adam_weight_decay: 0.2, adam_learning_rate: 0.02, consistent_rms: 0.2"},
      {"muon_adaptive", "kind: muon, learning_rate: 0.05, adaptive: true"},
      {"muon_one_matrix", "kind: muon, learning_rate: 0.05, adam: [\"second.*\"]"},
      {"rmsprop", "kind: rmsprop, learning_rate: 0.01"},
      {"rmsprop_centered", "kind: rmsprop, learning_rate: 0.01, decay: 0.8, eps: 1e-3, centered: true"},
      {"rmsprop_corrected",
       "kind: rmsprop, learning_rate: 0.01, decay: 0.8, eps: 1e-3, bias_correction: true"},
      {"rmsprop_momentum",
       "kind: rmsprop, learning_rate: 0.01, initial_scale: 0.1, eps_in_sqrt: false, momentum: 0.9"},
      {"rmsprop_nesterov", "kind: rmsprop, learning_rate: 0.01, momentum: 0.9, nesterov: true"},
      {"adagrad", "kind: adagrad, learning_rate: 0.1"},
      {"adagrad_from_zero", "kind: adagrad, learning_rate: 0.1, initial_accumulator_value: 0, eps: 1e-3"},
      {"sgd_cosine", "kind: sgd, learning_rate: 0.1", "kind: cosine, warmup_steps: 5, end: 0.1"},
      {"sgd_warmup", "kind: sgd, learning_rate: 0.1", "kind: constant, warmup_steps: 4"},
      {"sgd_leaf_norm", "kind: sgd, learning_rate: 0.1, clip_leaf_norm: 0.3"},
      {"sgd_all_clips",
       "kind: sgd, learning_rate: 0.1, clip_value: 0.3, clip_leaf_norm: 0.4, clip_norm: 0.5"},
      {"sgd_regularized",
       "kind: sgd, learning_rate: 0.1, l1: 0.02, l2: 0.05, no_decay: [\"*.bias\"], clip_norm: 0.7"},
      {"adam_rates",
       "kind: adam, learning_rate: 0.05, learning_rate_multipliers: {\"first.*\": 0.1, \"*first.weight\": "
       "0.2}"},
  };
}

ParameterInfo InfoOf(const std::string& name) { return {name, Reference().at("start/" + name).type()}; }

// Arguments: count, the parameters, then the slots of each. Results: loss, then the arguments after the step.
ValueFn StepOf(const UpdateRule& rule) {
  return [&rule](std::span<const Value> a) {
    Graph& graph = a[0].graph();
    const Value x = Constant(graph, Reference().at("x"));
    const Value y = Constant(graph, Reference().at("y"));
    const Value error = Dot(Tanh(Dot(x, a[1]) + a[2]), a[3]) - y;
    const Value loss = Mean(error * error);
    const Values gradients = Gradient(loss, a.subspan(1, kNames.size()));
    std::vector<UpdateRule::Parameter> parameters;
    size_t slot = 1 + kNames.size();
    for (size_t i = 0; i < kNames.size(); ++i) {
      Values slots;
      for (size_t k = rule.Slots(InfoOf(kNames[i])).size(); k > 0; --k) slots.push_back(a[slot++]);
      parameters.push_back({InfoOf(kNames[i]), a[1 + i], gradients[i], slots});
    }
    const UpdateRule::Result result = rule.Apply(parameters, a[0], a[0]);
    Values results = {loss, a[0] + 1.0};
    for (const Update& update : result.updates) results.push_back(update.parameter);
    for (const Update& update : result.updates) {
      results.insert(results.end(), update.slots.begin(), update.slots.end());
    }
    return results;
  };
}

class OptaxTest : public ::testing::TestWithParam<Case> {};

TEST_P(OptaxTest, TwentyStepsAreEqual) {
  const Case& test = GetParam();
  Config config;
  const Status loaded = Load(test.optimizer, test.schedule, config);
  ASSERT_TRUE(loaded.ok()) << loaded.ToString();
  ASSERT_TRUE(CheckPatterns(config.optimizer, kNames).ok());
  const UpdateRule rule(config.optimizer, config.schedule, kSteps);
  const jit::Devices devices = *jit::Devices::Of(jit::TestClient());
  jit::Jit step(devices, "step", StepOf(rule));

  std::vector<jit::Array> state;
  auto put = [&](const HostTensor& tensor) { state.push_back(*devices.Put(tensor)); };
  put(HostTensor::Scalar<int32_t>(0));
  for (const std::string& name : kNames) put(Reference().at("start/" + name));
  for (const std::string& name : kNames) {
    for (const SlotSpec& slot : rule.Slots(InfoOf(name))) {
      HostTensor initial(slot.type);
      for (int64_t i = 0; i < initial.size(); ++i) initial.Set(i, slot.initial);
      put(initial);
    }
  }

  const HostTensor& losses = Reference().at(test.name + "/loss");
  size_t kept = 0;
  for (int64_t k = 0; k < kSteps; ++k) {
    std::vector<const jit::Array*> arguments;
    for (const jit::Array& array : state) arguments.push_back(&array);
    auto results = step(arguments);
    ASSERT_TRUE(results.ok()) << results.status().ToString();
    // Rounding of f32 sums in another order, carried through 20 steps.
    EXPECT_NEAR(results->at(0).ToHost()->At(0), losses.At(k), 4e-6 * std::fabs(losses.At(k))) << "step " << k;
    state.clear();
    for (size_t i = 1; i < results->size(); ++i) state.push_back(std::move(results->at(i)));
    if (k != kKept[kept]) continue;
    for (size_t i = 0; i < kNames.size(); ++i) {
      const HostTensor& wants = Reference().at(test.name + "/" + kNames[i]);
      const HostTensor got = *state[1 + i].ToHost();
      for (int64_t j = 0; j < got.size(); ++j) {
        const double want = wants.At(static_cast<int64_t>(kept) * got.size() + j);
        EXPECT_NEAR(got.At(j), want, 5e-6 * (1 + std::fabs(want))) << kNames[i] << " after step " << k;
      }
    }
    ++kept;
  }
}

INSTANTIATE_TEST_SUITE_P(All, OptaxTest, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param.name; });

std::string LoadError(const std::string& optimizer) {
  Config config;
  return Load(optimizer, "kind: constant", config).message();
}

TEST(Optimizers, WrongNumbersAreRefused) {
  EXPECT_EQ(LoadError("kind: sgd, b1: 0.9"),
            "run.yaml:1:24: optimizer.b1: unknown key; did you mean optimizer.l1?");
  EXPECT_EQ(LoadError("kind: adam, b1: 1.5"),
            "run.yaml:1:25: optimizer.b1: must be between 0 and 1, got 1.5");
  EXPECT_EQ(LoadError("kind: muon, ns_coeffs: [1, 2]"),
            "run.yaml:1:25: optimizer.ns_coeffs: must be three numbers, got 2");
  EXPECT_EQ(LoadError("kind: muon, learning_rate: 0, adam_learning_rate: 1"),
            "run.yaml:1:43: optimizer.adam_learning_rate: needs a learning_rate above 0");
  EXPECT_EQ(LoadError("kind: addam"),
            "run.yaml:1:19: optimizer: unknown kind \"addam\", did you mean adam?; kinds: adamw, adam, sgd, "
            "lion, adafactor, lamb, muon, rmsprop, adagrad");
}

TEST(Optimizers, APatternWithoutAParameterNamesTheClosest) {
  Config config;
  ASSERT_TRUE(Load("kind: adamw, no_decay: [\"*.bias\", \"*.scale\"]", "kind: constant", config).ok());
  EXPECT_EQ(CheckPatterns(config.optimizer, kNames).message(),
            "optimizer.no_decay: \"*.scale\" matches no parameter; the closest is first.bias");
  ASSERT_TRUE(Load("kind: sgd, learning_rate_multipliers: {\"frist.*\": 2}", "kind: constant", config).ok());
  EXPECT_EQ(CheckPatterns(config.optimizer, kNames).message(),
            "optimizer.learning_rate_multipliers: \"frist.*\" matches no parameter; the closest is "
            "first.weight");
  ASSERT_TRUE(Load("kind: muon, adam: [\"head.*\"]", "kind: constant", config).ok());
  EXPECT_EQ(CheckPatterns(config.optimizer, kNames).message(),
            "optimizer.adam: \"head.*\" matches no parameter; the closest is second.weight");
}

TEST(Optimizers, AFactoredSecondMomentHasARowAndAColumn) {
  AdafactorConfig config;
  const auto slots = config.Make()->Slots({"w", {DType::kF32, {256, 3, 128}}});
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_EQ(slots[0].type.ToString(), "f32[3, 128]");  // without the largest dimension
  EXPECT_EQ(slots[0].axes, (std::vector<int>{1, 2}));
  EXPECT_EQ(slots[1].type.ToString(), "f32[256, 3]");  // without the second largest
  EXPECT_EQ(slots[1].axes, (std::vector<int>{0, 1}));
  EXPECT_EQ(config.Make()->Slots({"w", {DType::kF32, {256, 100}}}).size(), 1u);
}

}  // namespace
}  // namespace headrace::optim
