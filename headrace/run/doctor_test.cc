#include "headrace/run/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "headrace/io/temporary_folder.h"
#include "headrace/run/internal/system_facts.h"
#include "headrace/run/report_json.h"

namespace headrace::run {
namespace {

using ::testing::HasSubstr;
using Level = Finding::Level;

std::map<std::string, Finding> ExamineIn(const std::string& folder, const std::vector<std::string>& plugins) {
  std::map<std::string, Finding> by_name;
  for (Finding& finding : Examine({.device = {.plugin_folders = plugins}, .folder = folder})) {
    by_name[finding.name] = std::move(finding);
  }
  return by_name;
}

TEST(Doctor, FindsNothingWrongWithAGoodMachine) {
  io::TemporaryFolder folder;
  auto findings = ExamineIn(folder.path(), {".deps/pjrt"});
  for (const char* name : {"plugin", "compute", "disk", "runs"})
    EXPECT_EQ(findings[name].level, Level::kOk) << findings[name].text;
  EXPECT_THAT(findings["compute"].text, HasSubstr("1 cpu device, a tiny program runs and is right"));
  EXPECT_THAT(findings["cpu"].text, HasSubstr("core"));
  EXPECT_EQ(findings["data"].level, Level::kNote);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));  // it leaves nothing behind
}

TEST(Doctor, AMissingPluginIsAProblemWithAdvice) {
  io::TemporaryFolder folder;
  auto findings = ExamineIn(folder.path(), {"/nowhere"});
  EXPECT_EQ(findings["plugin"].level, Level::kProblem);
  EXPECT_THAT(findings["plugin"].advice, HasSubstr("--device"));
  EXPECT_EQ(findings["compute"].level, Level::kProblem);
  EXPECT_EQ(findings["runs"].level, Level::kOk);  // the other checks go on
}

TEST(Doctor, AFolderThatCannotBeWrittenIsAProblem) {
  io::TemporaryFolder folder;
  std::filesystem::create_symlink("/proc/1/nowhere",
                                  folder / "runs");  // nobody can write there, not even root
  auto findings = ExamineIn(folder.path(), {".deps/pjrt"});
  EXPECT_EQ(findings["runs"].level, Level::kProblem);
  EXPECT_THAT(findings["runs"].advice, HasSubstr("--out"));
}

TEST(Doctor, TheReportIsJsonToo) {
  const std::vector<Finding> findings = {{Level::kProblem, "disk", "0 bytes \"free\"", "free some"}};
  EXPECT_EQ(
      ToJson(findings),
      R"({"findings":[{"level":"problem","name":"disk","text":"0 bytes \"free\"","advice":"free some"}]})");
}

TEST(SystemFacts, AreThere) {
  EXPECT_GE(internal::Cpu().cores, 1);
  ASSERT_TRUE(internal::Memory().has_value());
  EXPECT_GT(internal::Memory()->total, 0);
  EXPECT_LE(internal::Memory()->available, internal::Memory()->total);
  EXPECT_TRUE(internal::FreeDisk("/tmp/no/such/folder").has_value());
  EXPECT_EQ(internal::FormatBytes(0), "0 bytes");
  EXPECT_EQ(internal::FormatBytes(1536), "1.5 KiB");
  EXPECT_EQ(internal::FormatBytes(int64_t{3} << 40), "3.0 TiB");
}

}  // namespace
}  // namespace headrace::run
