#include "headrace/run/device_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/run/device_report.h"

namespace headrace::run {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kFolders = {".deps/pjrt"};

TEST(DeviceOptions, ACpuIsOneDeviceUnlessSplit) {
  EXPECT_EQ((*OpenClient({.plugin_folders = kFolders}))->devices().size(), 1u);
  EXPECT_EQ((*OpenClient({.devices = 4, .plugin_folders = kFolders}))->devices().size(), 4u);
}

TEST(DeviceOptions, APluginByItsPathIsTheSame) {
  const std::string path = *runtime::FindPlugin("cpu", kFolders);
  EXPECT_EQ((*OpenClient({.device = path}))->devices().size(), 1u);
  EXPECT_EQ((*OpenClient({.device = path, .devices = 2}))->devices().size(), 2u);
}

TEST(DeviceOptions, WrongOnesAreNamed) {
  const auto message = [](const DeviceOptions& options) { return OpenClient(options).status().message(); };
  EXPECT_EQ(message({.devices = 0, .plugin_folders = kFolders}),
            "--devices must be between 1 and 4096, got 0");
  EXPECT_THAT(message({.device = "gpu", .plugin_folders = kFolders}), HasSubstr("gpu"));
  EXPECT_THAT(message({.device = "headrace/run/README.md"}), HasSubstr("headrace/run/README.md"));
  EXPECT_THAT(message({.device = "/no/such.so"}), HasSubstr("/no/such.so"));
  EXPECT_THAT(message({.plugin_folders = {"/nowhere"}}), HasSubstr("/nowhere"));
}

TEST(DeviceReport, ListsWhatThereIs) {
  const Result<DeviceReport> report = ReportDevices({.devices = 2, .plugin_folders = kFolders});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->platform, "cpu");
  ASSERT_EQ(report->devices.size(), 2u);
  EXPECT_EQ(report->devices[1].id, 1);
}

TEST(VersionReport, AMissingPluginIsPartOfIt) {
  EXPECT_EQ(ReportVersion({.plugin_folders = kFolders}).plugin_error, "");
  EXPECT_THAT(ReportVersion({.plugin_folders = {"/nowhere"}}).plugin_error, HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace headrace::run
