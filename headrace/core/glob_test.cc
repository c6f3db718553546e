#include "headrace/core/glob.h"

#include <gtest/gtest.h>

#include <vector>

namespace headrace::glob {
namespace {

TEST(Glob, StarsStandForAnythingAndQuestionMarksForOne) {
  EXPECT_TRUE(Matches("*", ""));
  EXPECT_TRUE(Matches("*", "layers.0.weight"));
  EXPECT_TRUE(Matches("*.bias", "layers.0.bias"));
  EXPECT_TRUE(Matches("layers.*.bias", "layers.0.attention.bias"));
  EXPECT_TRUE(Matches("layers.?.*", "layers.3.weight"));
  EXPECT_TRUE(Matches("*a*b", "xaxxab"));
  EXPECT_TRUE(Matches("weight", "weight"));
  EXPECT_TRUE(Matches("weight**", "weight"));

  EXPECT_FALSE(Matches("", "weight"));
  EXPECT_FALSE(Matches("bias", "layers.0.bias"));
  EXPECT_FALSE(Matches("*.bias", "bias"));
  EXPECT_FALSE(Matches("layers.?.*", "layers.13.weight"));
  EXPECT_FALSE(Matches("*a*b", "xaxxabx"));
  EXPECT_FALSE(Matches("weight?", "weight"));
}

TEST(Glob, APatternThatMatchesNothingNamesTheClosest) {
  const std::vector<std::string> names = {"conv1.weight", "conv1.bias", "classifier.weight"};
  EXPECT_TRUE(CheckAll("no_decay", std::vector<std::string>{"*.bias", "conv?.*"}, names).ok());
  const std::vector<std::string> mistyped = {"*.bias", "classifer.*"};
  EXPECT_EQ(CheckAll("trainable", mistyped, names).message(),
            "trainable: \"classifer.*\" matches no parameter; the closest is classifier.weight");
}

}  // namespace
}  // namespace headrace::glob
