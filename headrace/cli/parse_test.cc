#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/cli/arguments.h"

namespace headrace::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Targets {
  std::string run;
  std::vector<std::string> overrides;
  std::string device = "cpu";
  std::optional<int64_t> devices;
  std::vector<std::string> inputs;
  bool json = false;

  Status Read(const std::vector<std::string>& words) {
    Arguments arguments;
    arguments.Positional("RUN.yaml", run, "The run");
    arguments.Positional("key=value", overrides, "Settings");
    arguments.Option("--device", "D", device, "What to run on");
    arguments.Option("--devices", "N", devices, "How many", 1);
    arguments.Option("--input", "FILE", inputs, "Inputs");
    arguments.Flag("--json", json, "Print JSON");
    return Parse(words, arguments);
  }
};

TEST(Parse, OptionsMayStandAnywhere) {
  Targets targets;
  ASSERT_EQ(
      targets.Read({"--json", "run.yaml", "--devices=4", "a=1", "--device", "tpu", "b=[-1]"}).ToString(),
      "OK");
  EXPECT_EQ(targets.run, "run.yaml");
  EXPECT_THAT(targets.overrides, ElementsAre("a=1", "b=[-1]"));
  EXPECT_EQ(targets.device, "tpu");
  EXPECT_EQ(targets.devices, 4);
  EXPECT_TRUE(targets.json);
}

TEST(Parse, WhatIsNotGivenStaysAsItIs) {
  Targets targets;
  ASSERT_TRUE(targets.Read({"run.yaml"}).ok());
  EXPECT_EQ(targets.device, "cpu");
  EXPECT_EQ(targets.devices, std::nullopt);
  EXPECT_THAT(targets.overrides, IsEmpty());
  EXPECT_FALSE(targets.json);
}

TEST(Parse, ARepeatedOptionTakesOneWordEachTime) {
  Targets targets;
  ASSERT_TRUE(targets.Read({"--input", "x", "run.yaml", "--input", "y"}).ok());
  EXPECT_THAT(targets.inputs, ElementsAre("x", "y"));
  EXPECT_EQ(targets.run, "run.yaml");
}

TEST(Parse, AfterTwoDashesNothingIsAnOption) {
  Targets targets;
  ASSERT_EQ(targets.Read({"--", "-run.yaml", "--json"}).ToString(), "OK");
  EXPECT_EQ(targets.run, "-run.yaml");
  EXPECT_THAT(targets.overrides, ElementsAre("--json"));
}

TEST(Parse, Errors) {
  const auto error = [](const std::vector<std::string>& words) { return Targets().Read(words).message(); };
  EXPECT_EQ(error({}), "RUN.yaml is missing: The run");
  EXPECT_EQ(error({"a", "--jsn"}), "unknown option --jsn; did you mean --json?");
  EXPECT_EQ(error({"a", "--frobnicate=3"}), "unknown option --frobnicate");
  EXPECT_EQ(error({"a", "-x"}), "unknown option -x");
  EXPECT_EQ(error({"a", "--devices", "1.5"}), "--devices: expected a whole number, got \"1.5\"");
  EXPECT_EQ(error({"a", "--devices", "99999999999999999999"}),
            "--devices: expected a whole number, got \"99999999999999999999\"");
  EXPECT_EQ(error({"a", "--devices", "0"}), "--devices must be at least 1, got 0");
  EXPECT_EQ(error({"a", "--devices"}), "--devices needs a value");
  EXPECT_EQ(error({"a", "--json=maybe"}), "a flag takes no value");
  EXPECT_EQ(error({"a", "--device", "x", "--device", "y"}), "--device is given 2 times");
}

}  // namespace
}  // namespace headrace::cli
