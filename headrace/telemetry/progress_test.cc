#include "headrace/telemetry/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace headrace::telemetry {
namespace {

const RunState kState = {
    .step = 300, .total = 1500, .loss = 0.10231, .accuracy = 0.9688, .steps_per_second = 41.2};

TEST(ProgressLine, SaysEverythingThatIsKnown) {
  EXPECT_EQ(ProgressLine(kState), "step 300/1500  loss 0.1023  acc 0.969  41.2 steps/s  eta 0:29");
}

TEST(ProgressLine, LeavesOutWhatIsNot) {
  EXPECT_EQ(ProgressLine({.step = 1, .total = 20}), "step 1/20");
  EXPECT_EQ(ProgressLine({.step = 1, .total = 20, .loss = 2.3, .steps_per_second = 0.0}),
            "step 1/20  loss 2.3000");
}

TEST(ProgressLine, KeepsTheDigitsOfSmallLargeAndBrokenLosses) {
  auto loss = [](double value) { return ProgressLine({.step = 1, .total = 2, .loss = value}); };
  EXPECT_EQ(loss(0), "step 1/2  loss 0.0000");
  EXPECT_EQ(loss(-0.25), "step 1/2  loss -0.2500");
  EXPECT_EQ(loss(0.0000123456), "step 1/2  loss 1.235e-05");
  EXPECT_EQ(loss(123456), "step 1/2  loss 1.235e+05");
  EXPECT_EQ(loss(std::numeric_limits<double>::quiet_NaN()), "step 1/2  loss nan");
  EXPECT_EQ(loss(std::numeric_limits<double>::infinity()), "step 1/2  loss inf");
}

TEST(ProgressLine, TurnsTheRateAroundForSlowSteps) {
  EXPECT_EQ(ProgressLine({.step = 10, .total = 20, .steps_per_second = 0.125}),
            "step 10/20  8.0 s/step  eta 1:20");
}

TEST(ProgressLine, HasNothingLeftAfterTheLastStep) {
  EXPECT_EQ(ProgressLine({.step = 21, .total = 20, .steps_per_second = 2.0}),
            "step 21/20  2.0 steps/s  eta 0:00");
}

TEST(ProgressBar, FitsTheWidth) {
  EXPECT_EQ(ProgressBar(kState, 100),
            "step 300/1500 [######------------------------]  loss 0.1023  acc 0.969  41.2 steps/s  eta 0:29");
  EXPECT_EQ(ProgressBar(kState, 79),
            "step 300/1500 [###------------]  loss 0.1023  acc 0.969  41.2 steps/s  eta 0:29");
  EXPECT_EQ(ProgressBar(kState, 62), "step 300/1500  loss 0.1023  acc 0.969  41.2 steps/s  eta 0:29");
  EXPECT_EQ(ProgressBar(kState, 42), "step 300/1500  loss 0.1023  acc 0.969");
  EXPECT_EQ(ProgressBar(kState, 6), "step 3");
  EXPECT_EQ(ProgressBar(kState, -1), "");
  for (int width = 0; width < 130; ++width) EXPECT_LE(ProgressBar(kState, width).size(), width);
}

TEST(ProgressBar, IsFullAtTheEndAndNotBefore) {
  auto bar = [](int64_t step) { return ProgressBar({.step = step, .total = 1000}, 120); };
  EXPECT_EQ(bar(0), "step 0/1000 [------------------------------]");
  EXPECT_EQ(bar(999), "step 999/1000 [#############################-]");
  EXPECT_EQ(bar(1000), "step 1000/1000 [##############################]");
}

TEST(FormatDuration, GrowsByUnits) {
  EXPECT_EQ(FormatDuration(0.4), "0:00");
  EXPECT_EQ(FormatDuration(29.1), "0:29");
  EXPECT_EQ(FormatDuration(59.6), "1:00");
  EXPECT_EQ(FormatDuration(725), "12:05");
  EXPECT_EQ(FormatDuration(3723), "1:02:03");
  EXPECT_EQ(FormatDuration(2 * 86400 + 3600), "2d 01:00:00");
}

struct Written {
  std::string text;
  std::function<void(std::string_view)> Output() {
    return [this](std::string_view part) { text += part; };
  }
};

TEST(Progress, WritesPlainLinesToAFile) {
  Written written;
  Progress progress(written.Output(), {.is_terminal = false});
  progress.Update({.step = 1, .total = 2});
  progress.Note("saved step 1");
  progress.Update({.step = 2, .total = 2});
  progress.Finish();
  EXPECT_EQ(written.text, "step 1/2\nsaved step 1\nstep 2/2\n");
}

TEST(Progress, RedrawsOneLineOnATerminal) {
  Written written;
  Progress progress(written.Output(), {.is_terminal = true, .width = 22});
  progress.Update({.step = 1, .total = 2});
  progress.Update({.step = 2, .total = 2});
  progress.Finish();
  progress.Finish();
  EXPECT_EQ(written.text,
            "\r\x1b[2Kstep 1/2 [#####-----]"
            "\r\x1b[2Kstep 2/2 [##########]\n");
}

TEST(Progress, KeepsTheBarBelowANote) {
  Written written;
  Progress progress(written.Output(), {.is_terminal = true, .width = 22});
  progress.Note("before the first step");
  progress.Update({.step = 1, .total = 2});
  progress.Note("saved step 1");
  EXPECT_EQ(written.text,
            "before the first step\n"
            "\r\x1b[2Kstep 1/2 [#####-----]"
            "\r\x1b[2Ksaved step 1\nstep 1/2 [#####-----]");
}

}  // namespace
}  // namespace headrace::telemetry
