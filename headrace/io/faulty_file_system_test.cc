#include "headrace/io/faulty_file_system.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "headrace/io/temporary_folder.h"

namespace headrace::io {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class FaultyFileSystemTest : public testing::Test {
 protected:
  std::string Content(const std::string& name) {
    std::ifstream file(folder_ / name);
    if (!file) return "(none)";
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  // Writes and renames as somebody who does not care about power cuts, or who does.
  void Replace(const std::string& value, bool sync_file, bool sync_folder) {
    const int fd = files_.Open(folder_ / "new", O_WRONLY | O_CREAT);
    ASSERT_EQ(files_.Write(fd, AsBytes(value)), static_cast<int64_t>(value.size()));
    if (sync_file) {
      ASSERT_EQ(files_.Fsync(fd), 0);
    }
    ASSERT_EQ(files_.Close(fd), 0);
    ASSERT_EQ(files_.Rename(folder_ / "new", folder_ / "key"), 0);
    if (!sync_folder) return;
    const int folder = files_.Open(folder_.path(), O_RDONLY | O_DIRECTORY);
    ASSERT_EQ(files_.Fsync(folder), 0);
    ASSERT_EQ(files_.Close(folder), 0);
  }

  TemporaryFolder folder_;
  FaultyFileSystem files_{folder_ / "backup"};
};

TEST_F(FaultyFileSystemTest, APowerCutTakesDataThatWereNotSynced) {
  Replace("value", /*sync_file=*/false, /*sync_folder=*/true);
  EXPECT_EQ(Content("key"), "value");
  files_.CutPower(Names::kKept);
  EXPECT_EQ(Content("key"), "");
}

TEST_F(FaultyFileSystemTest, APowerCutTakesNamesThatWereNotSynced) {
  std::ofstream(folder_ / "key") << "old";
  Replace("value", /*sync_file=*/true, /*sync_folder=*/false);
  EXPECT_EQ(Content("key"), "value");
  files_.CutPower(Names::kLost);
  EXPECT_EQ(Content("key"), "old");
  EXPECT_EQ(Content("new"), "(none)");
}

TEST_F(FaultyFileSystemTest, APowerCutLeavesWhatWasSynced) {
  Replace("value", /*sync_file=*/true, /*sync_folder=*/true);
  files_.CutPower(Names::kLost);
  EXPECT_EQ(Content("key"), "value");
}

TEST_F(FaultyFileSystemTest, APowerCutTakesFoldersWithAllThatIsInThem) {
  ASSERT_EQ(files_.Mkdir(folder_ / "sub"), 0);
  std::ofstream(folder_ / "sub/key") << "value";
  files_.CutPower(Names::kLost);
  EXPECT_FALSE(fs::exists(folder_ / "sub"));
}

TEST_F(FaultyFileSystemTest, APowerCutBringsBackWhatWasRemoved) {
  std::ofstream(folder_ / "key") << "old";
  ASSERT_EQ(files_.Unlink(folder_ / "key"), 0);
  EXPECT_EQ(Content("key"), "(none)");
  files_.CutPower(Names::kLost);
  EXPECT_EQ(Content("key"), "old");
}

TEST_F(FaultyFileSystemTest, FailsTheCallThatIsAskedFor) {
  files_.FailAt(1, ENOSPC);
  const int fd = files_.Open(folder_ / "key", O_WRONLY | O_CREAT);
  EXPECT_EQ(files_.Write(fd, AsBytes("12345678")), -ENOSPC);
  EXPECT_EQ(Content("key"), "1234");
  EXPECT_TRUE(files_.happened());
  EXPECT_EQ(files_.Write(fd, AsBytes("5")), 1);
  EXPECT_EQ(files_.Close(fd), 0);
  EXPECT_THAT(files_.log(), ElementsAre("open", "write", "write", "close"));
}

TEST_F(FaultyFileSystemTest, FailsFromACallOn) {
  files_.FailFrom(1, EIO);
  EXPECT_EQ(files_.Mkdir(folder_ / "a"), 0);
  EXPECT_EQ(files_.Mkdir(folder_ / "b"), -EIO);
  EXPECT_EQ(files_.Rename(folder_ / "a", folder_ / "c"), -EIO);
  EXPECT_EQ(files_.Unlink(folder_ / "a"), -EIO);
  EXPECT_TRUE(fs::exists(folder_ / "a"));
}

}  // namespace
}  // namespace headrace::io
