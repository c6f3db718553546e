#include "headrace/run/judge.h"

#include <gtest/gtest.h>

namespace headrace::run {
namespace {

RunConfig Config() {
  RunConfig config;
  EarlyStoppingConfig stopping;
  stopping.patience = 2;
  config.train.early_stopping = stopping;
  config.checkpoint.best = MetricGoal{.metric = "accuracy", .mode = "max"};
  return config;
}

void Observe(Judge& judge, int64_t step, double loss, double accuracy) {
  judge.Observe(step, std::vector<NamedMean>{{"loss", loss}, {"accuracy", accuracy}});
}

TEST(Judge, EndsARunThatGetsNoBetter) {
  Judge judge(Config());
  Observe(judge, 10, 1.0, 0.5);
  Observe(judge, 20, 1.1, 0.6);
  EXPECT_FALSE(judge.IsEnough());
  Observe(judge, 30, 1.0, 0.6);
  EXPECT_TRUE(judge.IsEnough());
  EXPECT_EQ(judge.BestCheckpoint(), 20);
  ASSERT_TRUE(judge.Best());
  EXPECT_EQ(judge.Best()->metric, "accuracy");
  EXPECT_EQ(judge.Best()->value, 0.6);
}

TEST(Judge, ARunThatGoesOnDecidesAsOneThatWasNotInterrupted) {
  Judge first(Config()), second(Config());
  Observe(first, 10, 1.0, 0.5);
  Observe(first, 20, 1.1, 0.6);
  checkpoint::TensorMap state;
  first.SaveTo(state);
  second.RestoreFrom(state);
  EXPECT_EQ(second.last_step(), 20);
  EXPECT_FALSE(second.IsEnough());
  Observe(second, 30, 1.2, 0.55);
  EXPECT_TRUE(second.IsEnough());
  EXPECT_EQ(second.BestCheckpoint(), 20);
}

TEST(Judge, WithoutGoalsItSavesNothing) {
  const Judge judge{RunConfig()};
  checkpoint::TensorMap state;
  judge.SaveTo(state);
  EXPECT_TRUE(state.empty());
  EXPECT_FALSE(judge.IsWatching());
  EXPECT_FALSE(judge.Best());
  EXPECT_TRUE(judge.CheckMetrics({}).ok());
}

TEST(Judge, NamesTheMetricsThatThereAre) {
  const Judge judge(Config());
  EXPECT_EQ(judge.CheckMetrics(std::vector<std::string>{"loss", "perplexity"}).message(),
            "checkpoint.best.metric: evaluations give no \"accuracy\", only loss, perplexity");
  EXPECT_EQ(judge.CheckMetrics({}).message(),
            "train.early_stopping: there is nothing to evaluate: the data holds no examples out");
}

}  // namespace
}  // namespace headrace::run
