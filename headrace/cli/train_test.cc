// What a user sees of `headrace train`, and the folder that it leaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/cli/test/tiny_run.h"

namespace headrace::cli {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Train, LeavesARunDirectory) {
  TinyRun tiny;
  const Outcome outcome = tiny.Train("");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith("trained 12 steps\n"), HasSubstr("on 16 examples held out\n"),
                                 HasSubstr("checkpoint      runs/tiny/checkpoints/step-000012\n"),
                                 HasSubstr("next: headrace eval runs/tiny\n"), Not(HasSubstr("\x1b"))));
  for (const char* name :
       {"config.yaml", "tensorboard", "checkpoints/step-000012/model/model.safetensors",
        "checkpoints/step-000012/model/config.json", "checkpoints/step-000012/manifest.json"}) {
    EXPECT_TRUE(tiny.Exists(std::string("runs/tiny/") + name)) << name;
  }
  EXPECT_FALSE(tiny.Exists("runs/tiny/train.lock"));
  EXPECT_THAT(tiny.Checkpoints("runs/tiny"), ElementsAre("step-000005", "step-000010", "step-000012"));
  EXPECT_THAT(tiny.Metric("runs/tiny", "step"), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  const std::vector<double> losses = tiny.Metric("runs/tiny", "loss");
  EXPECT_LT(losses.back(), 0.9 * losses.front());
  for (const char* key : {"steps", "stop_reason", "examples_per_second", "median", "p90",
                          "first_step_seconds", "train_seconds", "loss", "accuracy", "params_sha256",
                          "data_sha256", "config_sha256", "version", "plugin", "device", "devices"}) {
    EXPECT_NE(tiny.Summary("runs/tiny", key), "") << key;
  }
  EXPECT_EQ(tiny.Summary("runs/tiny", "stop_reason"), "\"done\"");
  EXPECT_EQ(tiny.Run("checkpoint verify runs/tiny").exit_code, 0);
}

TEST(Train, TheReportAsJsonIsTheSummary) {
  TinyRun tiny;
  const Outcome outcome = tiny.Train("--json --out elsewhere");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, tiny.Read("elsewhere/summary.json"));
  EXPECT_FALSE(tiny.Exists("runs"));
}

TEST(Train, ADryRunWritesNothing) {
  TinyRun tiny;
  const Outcome outcome = tiny.Train("--dry-run");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  // 16*32 + 32 + 32*4 + 4
  EXPECT_THAT(
      outcome.out,
      AllOf(HasSubstr("676 trained parameters; 12 steps on 64 examples, 16 held out; mesh data=1, fsdp=1\n"),
            HasSubstr("memory of a step on one device: "),
            // Of the products alone 2 * (16*32 + 32*4) = 1280; the rest are biases, relu and the loss.
            ContainsRegex("compute: 1\\.[34][0-9] kFLOPs forward an example, [0-9.]+ kFLOPs a step")));
  EXPECT_THAT(tiny.Train("--dry-run --json").out, HasSubstr("\"parameter_count\": 676"));
  EXPECT_FALSE(tiny.Exists("runs"));
}

TEST(Train, EpochsEndWhereTheDataWasSeenSoOften) {
  TinyRun tiny;
  const std::string epochs = "train.steps=null train.epochs=";
  EXPECT_THAT(tiny.Train(epochs + "0.5").out, StartsWith("trained 4 steps\n"));
  EXPECT_THAT(tiny.Train(epochs + "0.5").out, StartsWith("runs/tiny is finished: 4 steps."));
  EXPECT_THAT(tiny.Train(epochs + "1").out, StartsWith("trained 8 steps\n"));
}

// Every way to spread the work over 8 devices computes the same.
TEST(Train, LossesDoNotDependOnDevices) {
  TinyRun tiny;
  const std::string common = "train.steps=8 train.global_batch_size=16 ";
  tiny.Train(common + "--out one");
  const std::vector<double> expected = tiny.Metric("one", "loss");
  ASSERT_EQ(expected.size(), 8);
  for (const auto& [devices, mesh, axes] :
       std::vector<std::tuple<int, std::string, std::string>>{{2, "mesh.data=2", "2"},
                                                              {4, "mesh.data=4", "4"},
                                                              {8, "mesh.data=8", "8"},
                                                              {2, "mesh.fsdp=2", "2"},
                                                              {4, "mesh.fsdp=4", "4"},
                                                              {8, "mesh.fsdp=8", "8"},
                                                              {8, "mesh.data=2 mesh.fsdp=4", "8"}}) {
    const std::string out = "many-" + std::to_string(devices) + (mesh.contains("fsdp") ? "f" : "d") +
                            (mesh.contains("mesh.data=2 ") ? "d" : "");
    const Outcome outcome =
        tiny.Train(common + mesh + " --devices " + std::to_string(devices) + " --out " + out);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(tiny.Summary(out, "devices"), axes);
    const std::vector<double> losses = tiny.Metric(out, "loss");
    ASSERT_EQ(losses.size(), expected.size()) << mesh;
    for (size_t i = 0; i < losses.size(); ++i) EXPECT_NEAR(losses[i], expected[i], 2e-6) << mesh;
  }
}

TEST(Train, WhatWasTrainedIsEvaluatedAndPredicts) {
  TinyRun tiny;
  tiny.Train("train.steps=40");
  const Outcome eval = tiny.Run("eval runs/tiny");
  ASSERT_EQ(eval.exit_code, 0) << eval.err;
  EXPECT_THAT(eval.out, StartsWith("runs/tiny/checkpoints/step-000040 on 16 examples held out\n"));
  EXPECT_THAT(tiny.Run("eval runs/tiny --json").out,
              AllOf(HasSubstr("\"step\": 40"), HasSubstr("\"loss\": " + tiny.Summary("runs/tiny", "loss"))));

  const Outcome predict = tiny.Run("predict runs/tiny --example 3 --picture seen.png");
  ASSERT_EQ(predict.exit_code, 0) << predict.err;
  EXPECT_THAT(predict.out, AllOf(StartsWith("held-out example 3\n"), HasSubstr("picture: seen.png\n")));
  EXPECT_THAT(tiny.Read("seen.png"), StartsWith("\x89PNG"));
  const Outcome beyond = tiny.Run("predict runs/tiny --example 99");
  EXPECT_EQ(beyond.exit_code, 2);
  EXPECT_THAT(beyond.err, HasSubstr("there is no held-out example 99: the run holds 16 out, counted from 0"));
  const Outcome masks = tiny.Run("predict runs/tiny --example 3 --masks masks");
  EXPECT_EQ(masks.exit_code, 2);
  EXPECT_THAT(
      masks.err,
      HasSubstr("error: --masks: the model of runs/tiny says what a whole picture is, not each pixel\n"));
  tiny.Write("notes.txt", "no picture");
  EXPECT_THAT(tiny.Run("predict runs/tiny notes.txt").err, HasSubstr("notes.txt"));

  EXPECT_THAT(tiny.Run("diagnose runs/tiny").out, HasSubstr("ok      progress     finished: 40 steps\n"));
}

TEST(Train, CommandsThatNeedARunSayWhatIsThereInstead) {
  TinyRun tiny;
  for (const char* command : {"eval", "predict", "diagnose", "checkpoint list"}) {
    const Outcome missing = tiny.Run(std::string(command) + " runs/gone" +
                                     (std::string(command) == "predict" ? " --example 0" : ""));
    EXPECT_EQ(missing.exit_code, 2) << command;
    EXPECT_THAT(missing.err, HasSubstr("there is no run at runs/gone")) << command;
  }
  EXPECT_THAT(tiny.Run("eval tiny.yaml").err, HasSubstr("tiny.yaml is a file; name the folder of a run"));
  EXPECT_THAT(tiny.Run("eval .").err, HasSubstr(". is not the folder of a run: it has no config.yaml"));
}

}  // namespace
}  // namespace headrace::cli
