// RunTraining on a model of an instant, asked to stop at every moment at which it can be.
#include "headrace/run/training.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "headrace/io/temporary_folder.h"
#include "headrace/run/run_directory.h"

namespace headrace::run {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

constexpr std::string_view kConfig = R"(name: tiny
seed: 7
model: {kind: mlp, hidden: [4], classes: 2}
data:
  source: {format: csv, path: PATH, label: 2}
  split: {train: 24, eval: 8}
train: {steps: 6, global_batch_size: 8}
optimizer: {kind: adamw, learning_rate: 2e-3}
schedule: {kind: constant}
checkpoint: {every: 100, keep: 3}
)";

class TrainingTest : public testing::Test {
 protected:
  TrainingTest() {
    std::ofstream rows(folder_ / "rows.csv");
    for (int i = 0; i < 32; ++i) rows << fmt::format("{},{},{}\n", i % 7, i % 5, i % 2);
  }

  // Trains, being asked to stop from the `stop_at`-th time on that it could be; -1: never.
  Result<TrainingReport> Train(int stop_at, std::vector<std::string> settings = {}) {
    TrainingOptions options{.config = {}, .out = folder_ / "run", .device = {}};
    options.device.plugin_folders = {".deps/pjrt"};
    settings.push_back("data.source.path=" + folder_ / "rows.csv");
    HR_TRY(config::Load(kConfig, "tiny.yaml", settings, options.config));
    int asked = 0;
    return RunTraining(options,
                       {.logger = {}, .should_stop = [&] { return stop_at >= 0 && asked++ >= stop_at; }});
  }
  bool HasRun() const { return std::filesystem::exists(folder_ / "run"); }

  io::TemporaryFolder folder_;
};

TEST_F(TrainingTest, AStopBeforeTheFirstStepLeavesNothing) {
  int stop_at = 0;
  Result<TrainingReport> report = Train(stop_at);
  for (; !report.ok(); report = Train(++stop_at)) {
    EXPECT_EQ(report.status().ToString(),
              "CANCELLED: stopped before the first step: nothing was trained yet, and nothing is lost; the "
              "same command begins anew");
    EXPECT_FALSE(HasRun());
  }
  EXPECT_EQ(stop_at, 4) << "before the data, the step, the state, and the loop";
  EXPECT_EQ(report->stop_reason, "stopped");
  EXPECT_EQ(report->steps, 1);

  // What was stopped goes on, and says so if it is stopped again before it has.
  for (stop_at = 0; stop_at < 4; ++stop_at) {
    const Status status = Train(stop_at).status();
    EXPECT_EQ(status.code(), Code::kCancelled);
    EXPECT_THAT(status.message(), EndsWith("; the same command goes on from step 1"));
  }
  report = Train(-1);
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  EXPECT_EQ(report->stop_reason, "done");
  EXPECT_EQ(report->steps, 6);
}

TEST_F(TrainingTest, AFailedStartLeavesNothing) {
  EXPECT_THAT(Train(-1, {"model.classes=1"}).status().message(), StartsWith(folder_ / "rows.csv"));
  EXPECT_FALSE(HasRun());
  EXPECT_TRUE(Train(-1).ok()) << "another config may begin there";
}

}  // namespace
}  // namespace headrace::run
