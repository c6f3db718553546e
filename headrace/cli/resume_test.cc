// Running the same command again: after a signal, after the end, with another config, in another's folder.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "headrace/cli/test/tiny_run.h"

namespace headrace::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Steps enough to be under way when a signal comes.
constexpr char kLong[] = "train.steps=10000000 checkpoint.every=0";

TEST(Resume, SigtermSavesAndEndsWith143AndTheRunGoesOnExactly) {
  TinyRun tiny;
  const Outcome stopped = tiny.TrainUntilSignal(kLong, "TERM");
  ASSERT_EQ(stopped.exit_code, 143) << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("; the same command goes on from there\n"));
  EXPECT_EQ(tiny.Summary("runs/tiny", "stop_reason"), "\"stopped\"");
  const int64_t steps = std::stoll(tiny.Summary("runs/tiny", "steps"));
  EXPECT_THAT(tiny.Checkpoints("runs/tiny"), ElementsAre(fmt::format("step-{:06}", steps)));

  const std::string length = fmt::format("train.log_every=1000 train.steps={}", steps + 3);
  const Outcome resumed = tiny.Train(length);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr(fmt::format("going on from step {}", steps)));
  tiny.Train(length + " --out undisturbed");
  EXPECT_EQ(tiny.Summary("runs/tiny", "params_sha256"), tiny.Summary("undisturbed", "params_sha256"));
}

TEST(Resume, SigintSavesAndEndsWith130) {
  TinyRun tiny;
  const Outcome stopped = tiny.TrainUntilSignal(kLong, "INT");
  ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_THAT(stopped.out, StartsWith("stopped after step "));
  EXPECT_EQ(tiny.Run("checkpoint verify runs/tiny").exit_code, 0);
  EXPECT_THAT(tiny.Run("diagnose runs/tiny").out, HasSubstr("stopped when asked to, after step "));
}

// A model that takes a while to compile, and a signal as soon as the run has its folder.
TEST(Resume, ASignalBeforeTheFirstStepEndsTheStartAndLeavesNothing) {
  TinyRun tiny;
  std::string layers = "32";
  for (int i = 0; i < 60; ++i) layers += ",32";
  const std::string slow = fmt::format("'model.hidden=[{}]' {}", layers, kLong);
  for (const auto& [signal, code] : {std::pair("TERM", 143), std::pair("INT", 130)}) {
    const Outcome stopped = tiny.TrainUntilSignal(slow, signal, "train.lock");
    EXPECT_EQ(stopped.exit_code, code) << stopped.err;
    EXPECT_EQ(stopped.out, "");
    EXPECT_THAT(stopped.err, AllOf(StartsWith("asked to stop; once more ends at once\n"),
                                   HasSubstr("stopped before the first step: nothing was trained yet, and "
                                             "nothing is lost; the same command begins anew\n")));
    EXPECT_FALSE(tiny.Exists("runs"));
  }
}

// What can be refused or found without training again, in one run of 12 steps.
class FinishedTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    tiny = std::make_unique<TinyRun>();
    ASSERT_EQ(tiny->Train("").exit_code, 0);
  }
  static void TearDownTestSuite() { tiny.reset(); }

  static inline std::unique_ptr<TinyRun> tiny;
};

TEST_F(FinishedTest, SaysSoAndEndsWith0) {
  const std::string metrics = tiny->Read("runs/tiny/metrics.jsonl");
  const Outcome again = tiny->Train("");
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.out, StartsWith("runs/tiny is finished: 12 steps. Nothing is left to do.\n"));
  EXPECT_EQ(tiny->Read("runs/tiny/metrics.jsonl"), metrics);
}

TEST_F(FinishedTest, AChangeThatCannotAlterThePastIsAccepted) {
  EXPECT_THAT(tiny->Train("train.log_every=5 checkpoint.keep=1").out, StartsWith("runs/tiny is finished"));
}

TEST_F(FinishedTest, AChangedConfigIsRefusedWithTheDifference) {
  const std::string config = tiny->Read("runs/tiny/config.yaml");
  EXPECT_THAT(
      tiny->TrainError("optimizer.learning_rate=1e-4 seed=8", 1),
      AllOf(StartsWith("error: runs/tiny: the config differs from the one that the run was begun with"),
            HasSubstr("\n  seed: 7 -> 8\n"), HasSubstr("\n  optimizer.learning_rate: 0.002 -> 0.0001\n"),
            HasSubstr("begin a new run with another --out")));
  EXPECT_THAT(tiny->TrainError("schedule.kind=cosine train.steps=20", 1),
              AllOf(HasSubstr("schedule.kind: constant -> cosine"), HasSubstr("train.steps: 12 -> 20")));
  EXPECT_EQ(tiny->Read("runs/tiny/config.yaml"), config);
}

TEST_F(FinishedTest, FewerStepsThanItHasAreRefused) {
  EXPECT_THAT(tiny->TrainError("train.steps=5", 1),
              HasSubstr("runs/tiny is at step 12 already, and the config ends at step 5: raise train.steps"));
}

TEST_F(FinishedTest, ChangedDataIsRefused) {
  tiny->Write("other.csv", TinyRun::Rows(1, "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1"));
  EXPECT_THAT(tiny->TrainError("data.source.path=other.csv train.steps=20", 1),
              HasSubstr("the data is not what the run was begun on (sha256 "));
}

TEST_F(FinishedTest, ResumeNeverRefuses) {
  EXPECT_THAT(tiny->TrainError("--resume never", 1),
              HasSubstr("runs/tiny already holds a run, at step 12, and --resume never forbids to go on"));
}

TEST_F(FinishedTest, ResumeFromAnotherRunWantsANewFolderAndStepsLeft) {
  EXPECT_THAT(tiny->TrainError("--resume runs/tiny", 1),
              HasSubstr("runs/tiny already holds a run, at step 12; leave --resume out to go on with it"));
  EXPECT_THAT(tiny->TrainError("--resume runs/tiny --out second", 1),
              HasSubstr("runs/tiny is at step 12 already, and the config ends at step 12"));
  EXPECT_THAT(tiny->TrainError("--resume tiny.yaml --out second", 2),
              HasSubstr("--resume takes auto, never or the folder of a run; tiny.yaml is a file"));
  EXPECT_FALSE(tiny->Exists("second"));
}

TEST_F(FinishedTest, ResumeFromAnotherRunGoesOnInTheNewFolder) {
  const Outcome outcome = tiny->Train("--resume runs/tiny --out longer train.steps=16");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("going on from step 12 checkpoint=runs/tiny/checkpoints/step-000012"));
  EXPECT_THAT(tiny->Metric("longer", "step"), ElementsAre(13, 14, 15, 16));
  EXPECT_EQ(tiny->Summary("runs/tiny", "steps"), "12");
}

TEST_F(FinishedTest, AFolderOfSomethingElseIsRefused) {
  tiny->Write("thesis/chapter1.txt", "years of work");
  EXPECT_THAT(tiny->TrainError("--out thesis", 2),
              HasSubstr("thesis holds something that is no run (chapter1.txt, ...)"));
  EXPECT_EQ(tiny->Read("thesis/chapter1.txt"), "years of work");
  EXPECT_FALSE(tiny->Exists("thesis/config.yaml"));
}

TEST(Resume, ADamagedCheckpointIsFoundAndTheOneBeforeTaken) {
  TinyRun tiny;
  tiny.Train("");
  const std::string params = tiny.Summary("runs/tiny", "params_sha256");
  const std::string model = "runs/tiny/checkpoints/step-000012/model/model.safetensors";
  tiny.Write(model, std::string(tiny.Read(model).size(), 'x'));

  const Outcome verify = tiny.Run("checkpoint verify runs/tiny");
  EXPECT_EQ(verify.exit_code, 1);
  EXPECT_THAT(verify.out,
              AllOf(HasSubstr("damaged  runs/tiny/checkpoints/step-000012"), HasSubstr("model.safetensors"),
                    HasSubstr("ok       runs/tiny/checkpoints/step-000010")));
  EXPECT_THAT(verify.err, HasSubstr("training goes on from the newest whole one"));

  // The summary says done, but what it was done with is gone: the last steps are made again.
  const Outcome again = tiny.Train("");
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, AllOf(HasSubstr("warning: "), HasSubstr("going on from step 10")));
  EXPECT_EQ(tiny.Summary("runs/tiny", "params_sha256"), params);
  EXPECT_EQ(tiny.Run("checkpoint verify runs/tiny").exit_code, 0);
}

}  // namespace
}  // namespace headrace::cli
