// Two trainers in one folder: the second is refused, and the first does not notice.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "headrace/cli/test/tiny_run.h"

namespace headrace::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

// Beside the program: another one that trains in runs/tiny, has saved, and is killed when the program has
// ended.
std::string BesideATrainer(const std::string& arguments) {
  return fmt::format(
      "'{}' train tiny.yaml {} 2>first.err & first=$!; trap 'kill -9 $first' EXIT; "
      "while ! ls runs/tiny/checkpoints/*/manifest.json; do kill -0 $first || exit 99; sleep 0.02; done "
      ">/dev/null 2>&1;",
      HEADRACE_PROGRAM, arguments);
}

TEST(TrainLock, ASecondTrainerIsRefusedAndTheFirstGoesOnUndisturbed) {
  TinyRun tiny;
  const std::string error =
      tiny.TrainError("train.steps=10000000", 1, BesideATrainer("train.steps=10000000 checkpoint.every=50"));
  EXPECT_THAT(error,
              ContainsRegex("^error: runs/tiny is being trained already: process [0-9]+ on [^ ]+ holds "
                            "runs/tiny/train.lock\\. Wait until that has ended, stop it "
                            "\\(kill -TERM lets it save first\\), or name another folder with --out\n$"));
  EXPECT_THAT(tiny.Read("first.err"), testing::Not(HasSubstr("error")));

  // Killed with -9, the first leaves no lock that anybody holds.
  EXPECT_TRUE(tiny.Exists("runs/tiny/train.lock"));
  const int64_t steps_then = std::stoll(tiny.Checkpoints("runs/tiny").back().substr(5)) + 3;
  const Outcome third = tiny.Train(fmt::format("train.steps={}", steps_then));
  ASSERT_EQ(third.exit_code, 0) << third.err;
  EXPECT_THAT(third.err, HasSubstr("going on from step "));
  EXPECT_FALSE(tiny.Exists("runs/tiny/train.lock"));
  std::vector<double> steps(static_cast<size_t>(steps_then));
  std::iota(steps.begin(), steps.end(), 1);
  EXPECT_EQ(tiny.Metric("runs/tiny", "step"), steps);
}

TEST(TrainLock, ReadersNeedNoLock) {
  TinyRun tiny;
  const Outcome listed =
      tiny.Run("checkpoint list runs/tiny", BesideATrainer("train.steps=10000000 checkpoint.every=50"));
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
}

}  // namespace
}  // namespace headrace::cli
