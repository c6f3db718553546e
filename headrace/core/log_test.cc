#include "headrace/core/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace headrace {
namespace {

using ::testing::ElementsAre;

TEST(Log, RecordsReachTheSinkFromTheLeastLevelOn) {
  std::vector<std::string> lines;
  auto sink = [&](const LogRecord& record) {
    lines.push_back(fmt::format("{}: {}", Name(record.level), record.ToString()));
  };
  const Logger logger(sink, LogLevel::kInfo);
  logger.Debug("not heard", {{"step", 1}});
  logger.Info("saved", {{"step", 600}, {"seconds", 0.25}, {"path", "a b"}});
  logger.Warning("slow");
  logger.Error("lost", {{"text", "said \"no\"\nand left"}, {"empty", ""}});
  EXPECT_THAT(lines, ElementsAre("info: saved step=600 seconds=0.25 path=\"a b\"", "warning: slow",
                                 "error: lost text=\"said \\\"no\\\"\\nand left\" empty=\"\""));
}

TEST(Log, WithoutASinkNothingPasses) {
  const Logger logger;
  logger.Error("nobody hears");
  EXPECT_FALSE(logger.Passes(LogLevel::kError));
}

}  // namespace
}  // namespace headrace
