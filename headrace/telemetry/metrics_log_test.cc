#include "headrace/telemetry/metrics_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <sstream>

#include "headrace/io/temporary_folder.h"

namespace headrace::telemetry {
namespace {

class MetricsLogTest : public testing::Test {
 protected:
  std::unique_ptr<MetricsLog> Open(int64_t last_step) {
    auto log = MetricsLog::Open(path_, last_step);
    EXPECT_TRUE(log.ok()) << log.status().ToString();
    return *std::move(log);
  }

  void WriteSteps(MetricsLog& log, std::initializer_list<int64_t> steps) {
    for (int64_t step : steps) {
      Status status = log.Write({.step = step, .time = 1764495120, .values = {{"loss", 0.5}}});
      ASSERT_TRUE(status.ok()) << status.ToString();
    }
  }

  std::string Text() {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }

  void Replace(const std::string& text) { std::ofstream(path_) << text; }

  static std::string Lines(std::initializer_list<int64_t> steps) {
    std::string lines;
    for (int64_t step : steps) {
      lines += "{\"step\": " + std::to_string(step) + ", \"time\": 1764495120, \"loss\": 0.5}\n";
    }
    return lines;
  }

  const io::TemporaryFolder folder_;
  const std::string path_ = folder_ / "run/metrics.jsonl";
};

TEST_F(MetricsLogTest, WritesOneLineAStep) {
  auto log = Open(0);
  float loss = 0.1023f;
  ASSERT_TRUE(log->Write({.step = 10,
                          .time = 1764495120.1234567,
                          .values = {{"loss", loss}, {"learning_rate", 2e-3}, {"step_time_ms", 20.5}}})
                  .ok());
  ASSERT_TRUE(log->Write({.step = 20,
                          .time = 1764495121,
                          .values = {{"loss", std::numeric_limits<double>::quiet_NaN()},
                                     {"grad_norm", std::numeric_limits<double>::infinity()}}})
                  .ok());
  EXPECT_EQ(Text(),
            "{\"step\": 10, \"time\": 1764495120.123, \"loss\": 0.1023, \"learning_rate\": 0.002, "
            "\"step_time_ms\": 20.5}\n"
            "{\"step\": 20, \"time\": 1764495121, \"loss\": \"NaN\", \"grad_norm\": \"Infinity\"}\n");
  EXPECT_EQ(log->last_step(), 20);
}

TEST_F(MetricsLogTest, RefusesAStepThatDoesNotGrow) {
  auto log = Open(0);
  WriteSteps(*log, {10});
  Status status = log->Write({.step = 10});
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(status.message(),
            path_ + ": step 10 after step 10: the lines of a metrics log must grow by step");
  EXPECT_EQ(Text(), Lines({10}));
}

TEST_F(MetricsLogTest, GoesOnAfterAResumption) {
  WriteSteps(*Open(0), {10, 20, 30, 40});
  auto log = Open(20);
  EXPECT_EQ(log->last_step(), 20);
  WriteSteps(*log, {30, 40, 50});
  EXPECT_EQ(Text(), Lines({10, 20, 30, 40, 50}));
}

TEST_F(MetricsLogTest, KeepsNothingForARunThatBegins) {
  WriteSteps(*Open(0), {10, 20});
  EXPECT_EQ(Open(0)->last_step(), 0);
  EXPECT_EQ(Text(), "");
}

TEST_F(MetricsLogTest, CutsOffWhatAKilledWriterLeft) {
  WriteSteps(*Open(0), {10, 20, 30});
  const std::string whole = Text();
  for (size_t length = 0; length <= whole.size(); ++length) {
    Replace(whole.substr(0, length));
    auto log = Open(100);
    int64_t lines = static_cast<int64_t>(length / (whole.size() / 3));
    EXPECT_EQ(log->last_step(), lines * 10);
    WriteSteps(*log, {40});
    EXPECT_EQ(Text(), whole.substr(0, lines * whole.size() / 3) + Lines({40}));
  }
}

TEST_F(MetricsLogTest, KeepsNothingFromADamagedLineOn) {
  WriteSteps(*Open(0), {10, 20});
  for (const std::string& damaged :
       {std::string("{\"step\": 30, \"lo\0\0\0\": 1}\n", 25), std::string("hello\n"),
        std::string("{\"step\": 20}\n"), std::string("{\"step\": x}\n"),
        std::string("{\"step\": 99999999999999999999}\n"), std::string("\n")}) {
    Replace(Lines({10, 20}) + damaged + Lines({40}));
    EXPECT_EQ(Open(100)->last_step(), 20) << damaged;
    EXPECT_EQ(Text(), Lines({10, 20}));
  }
}

}  // namespace
}  // namespace headrace::telemetry
