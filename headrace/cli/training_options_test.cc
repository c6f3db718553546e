// What a user sees of the ways to train: early stopping, the best checkpoint, averages, frozen parameters,
// half precision.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/cli/test/tiny_run.h"

namespace headrace::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// No evaluation is better than the first by so much.
std::string EarlyStopping(int patience) {
  return fmt::format(
      "train.steps=400 train.eval_every=2 checkpoint.every=4 "
      "'train.early_stopping={{metric: accuracy, mode: max, min_delta: 100, patience: {}}}' ",
      patience);
}

TEST(EarlyStopping, EndsTheRunAndSaysSo) {
  TinyRun tiny;
  const Outcome outcome = tiny.Train(EarlyStopping(3));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith("trained 8 steps, and stopped early: it got no better\n"),
                                 HasSubstr("best            accuracy "), HasSubstr("  after step 2\n")));
  EXPECT_EQ(tiny.Summary("runs/tiny", "stop_reason"), "\"early_stopped\"");
  EXPECT_THAT(tiny.Checkpoints("runs/tiny"), ElementsAre("step-000004", "step-000008"));
  EXPECT_THAT(tiny.Train(EarlyStopping(3)).out, StartsWith("runs/tiny is finished: 8 steps."));
  // With more patience the same run goes on.
  const Outcome patient = tiny.Train(EarlyStopping(5));
  EXPECT_THAT(patient.out, StartsWith("trained 12 steps, and stopped early")) << patient.err;
}

TEST(EarlyStopping, ARunThatIsKilledStopsWhereItWouldHave) {
  TinyRun tiny;
  const std::string options = EarlyStopping(200);
  ASSERT_EQ(tiny.TrainUntilSignal(options, "KILL").exit_code, 137);
  const Outcome stopped = tiny.TrainUntilSignal(options, "TERM", "checkpoints/step-000100/manifest.json");
  EXPECT_EQ(stopped.exit_code, 143) << stopped.err;
  const Outcome resumed = tiny.Train(options);
  EXPECT_THAT(resumed.out, StartsWith("trained 400 steps\n")) << resumed.err;  // 199 after the best
  tiny.Train(options + "--out undisturbed");
  for (const char* key : {"steps", "params_sha256", "best", "metric", "value", "step"}) {
    EXPECT_EQ(tiny.Summary("runs/tiny", key), tiny.Summary("undisturbed", key)) << key;
  }
}

TEST(EarlyStopping, AMetricThatThereIsNotIsRefused) {
  TinyRun tiny;
  EXPECT_THAT(tiny.TrainError("train.eval_every=2 'train.early_stopping={metric: auc, mode: max}'", 2),
              HasSubstr("train.early_stopping.metric: evaluations give no \"auc\", only loss, accuracy"));
}

// Where nothing is learned, the first evaluation stays the best.
TEST(BestCheckpoint, IsSavedAndKept) {
  TinyRun tiny;
  const std::string options =
      "optimizer.learning_rate=0 train.eval_every=3 checkpoint.every=4 checkpoint.keep=1 "
      "'checkpoint.best={metric: loss}' ";
  const Outcome outcome = tiny.Train(options);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(tiny.Checkpoints("runs/tiny"), ElementsAre("step-000003", "step-000012"));
  EXPECT_EQ(tiny.Summary("runs/tiny", "step"), "3");
  // It stays where the run goes on.
  EXPECT_EQ(tiny.Train(options + "train.steps=20").exit_code, 0);
  EXPECT_THAT(tiny.Checkpoints("runs/tiny"), ElementsAre("step-000003", "step-000020"));
}

TEST(BestCheckpoint, IsWhatIsUsedUnlessAnotherIsNamed) {
  TinyRun tiny;
  ASSERT_EQ(tiny.Train("optimizer.learning_rate=0 train.eval_every=3 checkpoint.keep=1 "
                       "'checkpoint.best={metric: loss}'")
                .exit_code,
            0);
  const std::string best = "runs/tiny/checkpoints/step-000003, the best by loss";
  for (const char* which : {"", "--checkpoint best"}) {
    EXPECT_THAT(tiny.Run(fmt::format("eval runs/tiny {}", which)).out,
                StartsWith(best + " on 16 examples held out\n"));
    EXPECT_EQ(tiny.Run(fmt::format("predict runs/tiny --example 0 {}", which)).err, "model: " + best + "\n");
  }
  EXPECT_THAT(tiny.Run("eval runs/tiny --json").out,
              HasSubstr("step-000003\", \"best_by\": \"loss\", \"step\": 3"));
  EXPECT_THAT(tiny.Run("predict runs/tiny --example 0 --json").out,
              HasSubstr("step-000003\",\"best_by\":\"loss\","));

  const std::string last = "runs/tiny/checkpoints/step-000012";
  for (const char* which : {"last", "12"}) {
    EXPECT_THAT(tiny.Run(fmt::format("eval runs/tiny --checkpoint {}", which)).out,
                StartsWith(last + " on 16 examples held out\n"));
  }
  EXPECT_EQ(tiny.Run("predict runs/tiny --example 0 --checkpoint 12").err, "model: " + last + "\n");
}

TEST(BestCheckpoint, AWrongOneSaysWhichThereAre) {
  TinyRun tiny;
  ASSERT_EQ(tiny.Train("checkpoint.every=4").exit_code, 0);
  for (const char* command : {"eval runs/tiny", "predict runs/tiny --example 0"}) {
    const auto error = [&](const char* which) {
      const Outcome outcome = tiny.Run(fmt::format("{} --checkpoint {}", command, which));
      EXPECT_EQ(outcome.exit_code, 2) << which;
      return outcome.err;
    };
    EXPECT_THAT(error("5"), HasSubstr("has no checkpoint of step 5: it has those of 4, 8, 12"));
    EXPECT_THAT(error("newest"),
                HasSubstr("--checkpoint: expected best, last or the step of a checkpoint, got "
                          "\"newest\""));
    EXPECT_THAT(error("best"),
                HasSubstr("the run at runs/tiny keeps no best checkpoint, since its config has no "
                          "checkpoint.best; --checkpoint last, or a step, takes another"));
  }
}

TEST(Average, IsWhatTheModelFolderHoldsAndEvaluationsMeasure) {
  TinyRun tiny;
  ASSERT_EQ(tiny.Train("'average={kind: ema, decay: 0.9}'").exit_code, 0);
  ASSERT_EQ(tiny.Train("--out plain").exit_code, 0);
  EXPECT_EQ(tiny.Metric("runs/tiny", "loss"), tiny.Metric("plain", "loss"));  // training is the same
  EXPECT_NE(tiny.Summary("runs/tiny", "params_sha256"), tiny.Summary("plain", "params_sha256"));
  const std::string loss = tiny.Summary("runs/tiny", "loss");
  EXPECT_NE(loss, tiny.Summary("plain", "loss"));
  EXPECT_THAT(tiny.Run("eval runs/tiny --json").out,
              HasSubstr(fmt::format("\"loss\": {}", loss.substr(0, 6))));
}

TEST(Trainable, NamesWhatIsTrained) {
  TinyRun tiny;
  const Outcome outcome = tiny.Train("'trainable=[\"layers.1.*\"]' --dry-run");
  EXPECT_THAT(outcome.out, HasSubstr("132 trained parameters; ")) << outcome.err;  // 32*4 + 4 of 676
  EXPECT_THAT(tiny.TrainError("'trainable=[\"head.*\"]'", 2),
              HasSubstr("trainable: \"head.*\" matches no parameter; the closest is "));
}

TEST(Precision, HalfTypesTrain) {
  TinyRun tiny;
  for (const char* compute : {"bf16", "f16"}) {
    const std::string out = fmt::format("runs/{}", compute);
    const Outcome outcome = tiny.Train(fmt::format("precision.compute={} --out {}", compute, out));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::vector<double> losses = tiny.Metric(out, "loss");
    EXPECT_LT(losses.back(), losses.front()) << compute;
  }
  EXPECT_EQ(tiny.Metric("runs/f16", "loss_scale").size(), 12u);
}

}  // namespace
}  // namespace headrace::cli
