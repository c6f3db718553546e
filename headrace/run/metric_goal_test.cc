#include "headrace/run/metric_goal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headrace::run {
namespace {

TEST(MetricGoal, SaysWhichWayIsBetter) {
  const MetricGoal loss, accuracy{.metric = "accuracy", .mode = "max"};
  EXPECT_TRUE(loss.IsBetter(0.5, 0.6, 0));
  EXPECT_FALSE(loss.IsBetter(0.5, 0.6, 0.2));
  EXPECT_TRUE(accuracy.IsBetter(0.6, 0.5, 0));
  EXPECT_FALSE(accuracy.IsBetter(0.5, 0.5, 0));
  EXPECT_FALSE(accuracy.IsBetter(NAN, 0.5, 0));
}

std::string LoadError(const std::string& text) {
  EarlyStoppingConfig config;
  return config::Load(text, "run.yaml", {}, config).message();
}

TEST(MetricGoal, AModeIsAskedForWhereNobodyCanKnow) {
  EXPECT_EQ(LoadError("{metric: loss}"), "");
  EXPECT_EQ(LoadError("{metric: accuracy}"),
            "run.yaml: mode: say whether a smaller (min) or a larger accuracy (max) is better");
  EXPECT_EQ(LoadError("mode: most"), "run.yaml:1:1: mode: must be min or max, got \"most\"");
  EXPECT_EQ(LoadError("patience: 0"), "run.yaml:1:1: patience: must be at least 1, got 0");
}

TEST(BestTracker, KeepsTheFirstOfTheBest) {
  BestTracker tracker(MetricGoal{}, /*min_delta=*/0.1);
  EXPECT_FALSE(tracker.Observe(5, NAN));
  EXPECT_EQ(tracker.best_step(), 0);
  EXPECT_TRUE(tracker.Observe(10, 1.0));
  EXPECT_FALSE(tracker.Observe(20, 0.95));  // not by enough
  EXPECT_TRUE(tracker.Observe(30, 0.8));
  EXPECT_FALSE(tracker.Observe(40, 0.8));
  EXPECT_FALSE(tracker.Observe(50, NAN));
  EXPECT_EQ(tracker.best_step(), 30);
  EXPECT_EQ(tracker.best(), 0.8);
  EXPECT_EQ(tracker.evaluations_since_best(), 2);
}

TEST(BestTracker, GoesOnFromItsState) {
  BestTracker first(MetricGoal{}), second(MetricGoal{});
  first.Observe(10, 1.0);
  first.Observe(20, 1.5);
  second.Restore(first.State());
  EXPECT_EQ(second.best_step(), 10);
  EXPECT_EQ(second.evaluations_since_best(), 1);
  EXPECT_FALSE(second.Observe(30, 1.0));
  EXPECT_TRUE(second.Observe(40, 0.9));
}

}  // namespace
}  // namespace headrace::run
