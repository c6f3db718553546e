#include "headrace/telemetry/step_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headrace::telemetry {
namespace {

TEST(Quantile, InterpolatesAsNumpyDoes) {
  std::vector<double> values = {4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(Quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(Quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(Quantile(values, 0.9), 3.7);
  EXPECT_DOUBLE_EQ(Quantile(values, 1), 4);
  EXPECT_DOUBLE_EQ(Quantile(std::vector<double>{7}, 0.9), 7);
}

TEST(StepTimes, SaysNothingBeforeTwoSteps) {
  StepTimes times;
  EXPECT_FALSE(times.Summarize(100).has_value());
  EXPECT_FALSE(times.first_step_seconds().has_value());
  times.Add(3.0);
  EXPECT_FALSE(times.Summarize(100).has_value());
  EXPECT_EQ(times.first_step_seconds(), 3.0);
}

TEST(StepTimes, LeavesTheFirstStepOut) {
  StepTimes times;
  times.Add(30.0, 29.0);  // compiles
  times.Add(0.02, 0.01);
  times.Add(0.02, 0.00);
  times.Add(0.04, 0.01);
  StepTimeSummary summary = times.Summarize(100).value();
  EXPECT_EQ(summary.steps, 3);
  EXPECT_DOUBLE_EQ(summary.median_ms, 20);
  EXPECT_DOUBLE_EQ(summary.p90_ms, 36);
  EXPECT_DOUBLE_EQ(summary.examples_per_second, 300 / 0.08);
  EXPECT_DOUBLE_EQ(summary.stall_share, 0.25);
}

TEST(StepTimes, SurvivesAClockThatStandsStill) {
  StepTimes times;
  times.Add(0);
  times.Add(0);
  EXPECT_EQ(times.Summarize(100).value().examples_per_second, 0);
}

}  // namespace
}  // namespace headrace::telemetry
