#include "headrace/run/sampling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace headrace::run {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

// Probabilities 0.1, 0.4, 0.2, 0.3.
const std::vector<float> kLogits = {std::log(1.f), std::log(4.f), std::log(2.f), std::log(3.f)};

// How often each token comes, over evenly spaced draws.
std::vector<double> Shares(const SamplingOptions& options) {
  constexpr int kDraws = 1000;
  std::vector<double> shares(kLogits.size());
  for (int i = 0; i < kDraws; ++i) {
    shares[static_cast<size_t>(SampleToken(kLogits, options, (i + 0.5) / kDraws))] += 1.0 / kDraws;
  }
  return shares;
}

auto Near(double a, double b, double c, double d) {
  const auto near = [](double x) { return DoubleNear(x, 2e-3); };
  return ElementsAre(near(a), near(b), near(c), near(d));
}

TEST(SampleToken, DrawsInProportion) { EXPECT_THAT(Shares({.temperature = 1}), Near(0.1, 0.4, 0.2, 0.3)); }

TEST(SampleToken, ALowTemperatureFavoursTheLikeliest) {
  EXPECT_THAT(Shares({.temperature = 0.5}), Near(1 / 30.0, 16 / 30.0, 4 / 30.0, 9 / 30.0));
  EXPECT_THAT(Shares({.temperature = 0}), Near(0, 1, 0, 0));
}

TEST(SampleToken, TopKKeepsTheLikeliest) {
  EXPECT_THAT(Shares({.temperature = 1, .top_k = 2}), Near(0, 4 / 7.0, 0, 3 / 7.0));
  EXPECT_THAT(Shares({.temperature = 1, .top_k = 99}), Near(0.1, 0.4, 0.2, 0.3));
}

TEST(SampleToken, TopPKeepsTheFewestThatReachIt) {
  EXPECT_THAT(Shares({.temperature = 1, .top_p = 0.5}), Near(0, 4 / 7.0, 0, 3 / 7.0));
  EXPECT_THAT(Shares({.temperature = 1, .top_p = 0.01}), Near(0, 1, 0, 0));
  // Of the three that top_k leaves, 4/9 and 3/9 reach 0.7.
  EXPECT_THAT(Shares({.temperature = 1, .top_k = 3, .top_p = 0.7}), Near(0, 4 / 7.0, 0, 3 / 7.0));
}

TEST(SampleToken, TakesTheFirstOfEqualOnes) {
  const std::vector<float> logits = {0, 2, 2};
  EXPECT_EQ(SampleToken(logits, {.temperature = 0}, 0.9), 1);
  EXPECT_EQ(SampleToken(logits, {.temperature = 1, .top_k = 1}, 0.9), 1);
}

TEST(SamplingOptions, SayWhatIsWrong) {
  EXPECT_EQ(SamplingOptions{.temperature = -1}.Validate().message(),
            "temperature: must be a number of at least 0, got -1");
  EXPECT_EQ(SamplingOptions{.top_k = -2}.Validate().message(), "top_k: must be at least 0, got -2");
  EXPECT_EQ(SamplingOptions{.top_p = 0}.Validate().message(), "top_p: must be above 0 and at most 1, got 0");
}

}  // namespace
}  // namespace headrace::run
