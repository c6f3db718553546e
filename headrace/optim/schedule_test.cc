// Every schedule at every step against optax (tools/reference/schedules.py).
#include "headrace/optim/schedule.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "headrace/graph/ops.h"
#include "headrace/jit/jit.h"
#include "headrace/jit/test_client.h"
#include "headrace/tensor/npz.h"

namespace headrace::optim {
namespace {

constexpr int64_t kSteps = 100;
constexpr int64_t kBeyond = 20;  // steps after the end, which a run that is made longer may come to

struct Config {
  ScheduleConfig schedule;
  void Fields(config::Visitor& v) { v.Field("schedule", schedule, ""); }
};

Status Load(const std::string& schedule, Config& config) {
  return config::Load(fmt::format("schedule: {{{}}}", schedule), "run.yaml", {}, config);
}

HostTensor Reference(const std::string& name) {
  std::ifstream file("headrace/optim/testdata/schedules.npz", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  for (const NamedTensor& array : DecodeNpz(std::as_bytes(std::span(bytes))).value()) {
    if (array.name == name) return array.tensor;
  }
  return {};
}

struct Case {
  std::string name;
  std::string schedule;
};

class ScheduleTest : public ::testing::TestWithParam<Case> {};

TEST_P(ScheduleTest, EveryStepIsEqual) {
  Config config;
  const Status loaded = Load(GetParam().schedule, config);
  ASSERT_TRUE(loaded.ok()) << loaded.ToString();
  const jit::Devices devices = *jit::Devices::Of(jit::TestClient());
  jit::Jit factor(devices, "factor", [&](std::span<const Value> a) {
    return Values{ScheduleFactor(config.schedule, a[0], kSteps)};
  });
  const HostTensor want = Reference(GetParam().name);
  ASSERT_EQ(want.size(), kSteps + kBeyond);
  for (int32_t step = 0; step < kSteps + kBeyond; ++step) {
    const jit::Array at = *devices.Put(HostTensor::Scalar(step));
    const double got = factor({&at})->at(0).ToHost()->At(0);
    EXPECT_NEAR(got, want.At(step), 1e-6) << "step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ScheduleTest,
    ::testing::Values(
        Case{"constant", "kind: constant"},
        Case{"constant_warmup", "kind: constant, warmup_steps: 7, warmup_start: 0.25"},
        Case{"linear", "kind: linear"}, Case{"linear_warmup", "kind: linear, warmup_steps: 10, end: 0.1"},
        Case{"cosine", "kind: cosine"},
        Case{"cosine_warmup", "kind: cosine, warmup_steps: 10, warmup_start: 0.2, end: 0.05"},
        Case{"polynomial", "kind: polynomial"},
        Case{"polynomial_warmup", "kind: polynomial, warmup_steps: 10, power: 0.5, end: 0.1"},
        Case{"step", "kind: step, boundaries: [30, 60]"},
        Case{"step_warmup",
             "kind: step, warmup_steps: 10, boundaries: [30, 50, 90], scales: [0.5, 0.2, 2.0]"},
        Case{"exponential", "kind: exponential, transition_steps: 10, decay_rate: 0.8"},
        Case{"exponential_warmup",
             "kind: exponential, warmup_steps: 10, warmup_start: 0.1, transition_steps: 15, decay_rate: 0.5, "
             "staircase: true, end: 0.1"},
        Case{"wsd", "kind: wsd"}, Case{"wsd_cosine", "kind: wsd, shape: cosine, decay_steps: 25, end: 0.1"},
        Case{"wsd_sqrt", "kind: wsd, shape: sqrt, decay_steps: 30"},
        Case{"rsqrt", "kind: rsqrt, warmup_steps: 16"},
        Case{"rsqrt_timescale", "kind: rsqrt, timescale: 5, end: 0.3"}),
    [](const auto& info) { return info.param.name; });

std::string LoadError(const std::string& schedule) {
  Config config;
  return Load(schedule, config).message();
}

TEST(Schedules, WhatMakesNoSenseIsRefused) {
  EXPECT_EQ(LoadError("kind: step, boundaries: [60, 30]"), "run.yaml:1:24: schedule.boundaries: must rise");
  EXPECT_EQ(LoadError("kind: step, boundaries: [30, 60, 90], scales: [0.1, 0.2]"),
            "run.yaml:1:50: schedule.scales: 2 numbers for 3 boundaries; give one for each, or one for all");
  EXPECT_EQ(LoadError("kind: step, boundaries: [30], warmup_steps: 40"),
            "run.yaml:1:24: schedule.boundaries: 30 lies in the warm-up of 40 steps");
  EXPECT_EQ(LoadError("kind: rsqrt"),
            "run.yaml:1:1: schedule: timescale: give one, or warmup_steps to take it from");
  EXPECT_EQ(
      LoadError("kind: wsd, shape: sqr"),
      "run.yaml:1:23: schedule.shape: must be one of linear, cosine, sqrt; got \"sqr\", did you mean sqrt?");
  EXPECT_EQ(LoadError("kind: cosine, end: 2"), "run.yaml:1:26: schedule.end: must be between 0 and 1, got 2");
}

}  // namespace
}  // namespace headrace::optim
