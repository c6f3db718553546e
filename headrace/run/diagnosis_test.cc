#include "headrace/run/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "headrace/io/temporary_folder.h"
#include "headrace/run/run_directory.h"
#include "headrace/run/summary.h"
#include "headrace/run/template.h"

namespace headrace::run {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Level = Finding::Level;

// Lines of 20 logged steps, 10 apart, in good health; `change` makes them otherwise.
std::vector<MetricsLine> Lines(const std::function<void(MetricsLine&)>& change = [](MetricsLine&) {}) {
  std::vector<MetricsLine> lines;
  for (int64_t i = 1; i <= 20; ++i) {
    lines.push_back(
        {.step = i * 10, .loss = 2.0 / static_cast<double>(i), .grad_norm = 1, .step_time_ms = 50});
    change(lines.back());
  }
  return lines;
}

// "level text -> advice"
std::string Say(const Finding& finding) {
  const char* level = finding.level == Level::kOk ? "ok" : finding.level == Level::kNote ? "note" : "problem";
  return fmt::format("{} {}: {} -> {}", level, finding.name, finding.text, finding.advice);
}

TEST(JudgeLoss, Falls) {
  EXPECT_EQ(Say(JudgeLoss(Lines())),
            "ok loss: it falls: median 0.6667 in the first quarter, 0.1111 in the last -> ");
}

TEST(JudgeLoss, StandsStill) {
  EXPECT_THAT(Say(JudgeLoss(Lines([](MetricsLine& line) { line.loss = line.step < 60 ? 2 : 1; }))),
              AllOf(HasSubstr("note loss: it stands still: median 2 in the first quarter, 1 in the last"),
                    HasSubstr("more steps will not help")));
}

TEST(JudgeLoss, Rises) {
  EXPECT_THAT(Say(JudgeLoss(Lines([](MetricsLine& line) { line.loss = static_cast<double>(line.step); }))),
              AllOf(HasSubstr("problem loss: it has risen: median 30 in the first quarter, 180 in the last"),
                    HasSubstr("lower optimizer.learning_rate")));
}

TEST(JudgeLoss, IsNoNumber) {
  for (double bad : {std::nan(""), HUGE_VAL}) {
    EXPECT_THAT(Say(JudgeLoss(Lines([bad](MetricsLine& line) {
                  if (line.step >= 70) line.loss = bad;
                }))),
                HasSubstr("problem loss: it is not a finite number at step 70 -> lower"));
  }
}

TEST(Judgements, TooFewLinesAreNotJudged) {
  std::vector<MetricsLine> lines = Lines();
  lines.resize(7);
  for (const Finding& finding : {JudgeLoss(lines), JudgeGradients(lines), JudgeSpeed(lines)}) {
    EXPECT_EQ(finding.level, Level::kNote);
    EXPECT_EQ(finding.text, "only 7 logged steps; too few to judge");
  }
  EXPECT_EQ(JudgeLoss({}).text, "only 0 logged steps; too few to judge");
}

TEST(JudgeGradients, SteadyJumpingGone) {
  EXPECT_EQ(Say(JudgeGradients(Lines())), "ok gradients: norm 1 in the median, 1 at most -> ");
  EXPECT_THAT(
      Say(JudgeGradients(Lines([](MetricsLine& line) { line.grad_norm = line.step == 90 ? 30 : 1; }))),
      HasSubstr("note gradients: norm 30 at step 90, 30 times the median -> clip them"));
  EXPECT_THAT(Say(JudgeGradients(Lines([](MetricsLine& line) { line.grad_norm = 1e-9; }))),
              HasSubstr("problem gradients: their norm has a median of 1e-09: nothing is learned -> "));
}

TEST(JudgeSpeed, SteadyUneven) {
  // The first line holds what only the first step costs: it does not count.
  EXPECT_EQ(
      Say(JudgeSpeed(Lines([](MetricsLine& line) { line.step_time_ms = line.step == 10 ? 9999 : 50; }))),
      "ok speed: 50.0 ms a step in the median, 50.0 in the slowest tenth -> ");
  EXPECT_THAT(
      Say(JudgeSpeed(Lines([](MetricsLine& line) { line.step_time_ms = line.step > 160 ? 200 : 50; }))),
      HasSubstr("note speed: uneven: 50.0 ms a step in the median, 200.0 in the slowest tenth"));
}

TEST(JudgeFit, ComparesWithTraining) {
  EXPECT_EQ(Say(JudgeFit(0.1, 0.12)), "ok fit: loss 0.12 on held-out examples, 0.1 in training -> ");
  EXPECT_THAT(Say(JudgeFit(0.1, 0.2)), HasSubstr("note fit: it fits the training data better than new data"));
  EXPECT_EQ(JudgeFit(0.001, 0.01).level, Level::kOk);  // ten times as much, and nothing at all
}

TEST(JudgeInput, NamesWhatHelps) {
  EXPECT_EQ(Say(JudgeInput(0.01)), "ok input: 1.0 % of the time was spent waiting for data -> ");
  EXPECT_EQ(
      Say(JudgeInput(0.3)),
      "note input: 30.0 % of the time was spent waiting for data -> raise data.workers and data.prefetch");
}

// ---- a folder ----

class DiagnoseTest : public testing::Test {
 protected:
  DiagnoseTest() {
    RunConfig config;
    for (const Template& known : Templates()) {
      if (known.name == "mnist") HR_CHECK(config::Load(known.text, "mnist.yaml", {}, config).ok());
    }
    run_ = *ClaimRun(folder_.path(), config);
    HR_CHECK(WriteConfig(run_).ok());
  }
  void WriteMetrics(int64_t lines, const std::string& after = "") {
    std::string text;
    for (int64_t i = 1; i <= lines; ++i) {
      text += fmt::format("{{\"step\": {}, \"loss\": {}, \"grad_norm\": 1, \"step_time_ms\": 50}}\n", i * 10,
                          2.0 / static_cast<double>(i));
    }
    HR_CHECK(run_.store->Write(kMetricsFile, io::AsBytes(text + after)).ok());
  }
  // The findings, a line each.
  std::string Diagnosis() {
    const auto findings = Diagnose(folder_.path());
    if (!findings.ok()) return findings.status().message();
    std::string text;
    for (const Finding& finding : *findings) text += Say(finding) + "\n";
    return text;
  }

  io::TemporaryFolder folder_;
  ExistingRun run_;
};

TEST_F(DiagnoseTest, ARunThatHasJustBegun) {
  EXPECT_THAT(Diagnosis(), AllOf(HasSubstr("note progress: under way or killed: step 0 of 1500 logged"),
                                 HasSubstr("note checkpoints: there is none yet")));
}

TEST_F(DiagnoseTest, ARunThatWasKilledSaysWhatIsAtStake) {
  WriteMetrics(20, "{\"step\": 210, \"lo");  // killed in the middle of a line
  EXPECT_THAT(
      Diagnosis(),
      AllOf(HasSubstr("note progress: under way or killed: step 200 of 1500 logged, step 0 saved -> if "
                      "it was killed, the same `headrace train` command repeats 200 steps"),
            HasSubstr("ok loss: it falls")));
}

TEST_F(DiagnoseTest, AFinishedRunIsJudgedByWhatItHeldOut) {
  WriteMetrics(20);
  TrainingReport report{.steps = 200,
                        .stop_reason = "done",
                        .examples_per_second = 100,
                        .stall_share = 0.5,
                        .eval = {{"loss", 0.9}}};
  ASSERT_TRUE(WriteSummary(run_, report).ok());
  EXPECT_THAT(Diagnosis(), AllOf(HasSubstr("ok progress: finished: 200 steps"),
                                 HasSubstr("note fit: it fits the training data better than new data: loss "
                                           "0.9 on held-out examples, 0.1111 in training"),
                                 HasSubstr("note input: 50.0 %")));
}

TEST_F(DiagnoseTest, AStoppedRunGoesOn) {
  WriteMetrics(20);
  ASSERT_TRUE(WriteSummary(run_, {.steps = 203, .stop_reason = "stopped"}).ok());
  EXPECT_THAT(Diagnosis(),
              HasSubstr("note progress: stopped when asked to, after step 203 of 1500 -> the same"));
}

TEST_F(DiagnoseTest, NotANumberInTheMetricsIsFound) {
  WriteMetrics(20, "{\"step\": 210, \"loss\": \"NaN\", \"grad_norm\": \"Infinity\"}\n");
  EXPECT_THAT(Diagnosis(), HasSubstr("problem loss: it is not a finite number at step 210"));
}

TEST(Diagnose, NoRun) { EXPECT_EQ(Diagnose("runs/gone").status().message(), "there is no run at runs/gone"); }

}  // namespace
}  // namespace headrace::run
