#include "headrace/io/file_store.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "headrace/io/store_suite.h"
#include "headrace/io/temporary_folder.h"

namespace headrace::io {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

INSTANTIATE_TEST_SUITE_P(File, StoreSuite,
                         testing::Values(StoreUnderTest{"file",
                                                        [](const std::string& folder) {
                                                          return std::make_unique<FileStore>(folder +
                                                                                             "/new/store");
                                                        }}),
                         testing::PrintToStringParamName());

void Put(const std::string& path, std::string_view text = "") { std::ofstream(path) << text; }

std::vector<std::string> Keys(Store& store, std::string_view prefix = "") {
  Result<std::vector<Entry>> entries = store.List(prefix);
  if (!entries.ok()) return {entries.status().ToString()};
  std::vector<std::string> keys;
  for (const Entry& entry : *entries) keys.push_back(entry.key);
  return keys;
}

class FileStoreTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  FileStore store_{folder_ / "store"};
};

TEST_F(FileStoreTest, ReadsFilesThatOthersMade) {
  fs::create_directories(folder_ / "store/data");
  Put(folder_ / "store/data/x.csv", "1,2\n");
  EXPECT_EQ(*store_.ReadText("data/x.csv"), "1,2\n");
  EXPECT_THAT(Keys(store_), ElementsAre("data/x.csv"));
}

TEST_F(FileStoreTest, ReadsFilesThatDoNotKnowTheirSize) {
  FileStore proc("/proc/self");
  const Result<std::string> text = proc.ReadText("status");
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*text, HasSubstr("Pid:"));
}

TEST_F(FileStoreTest, FoldersGoWithTheirLastKey) {
  ASSERT_TRUE(store_.Write("a/b/1", {}).ok());
  ASSERT_TRUE(store_.Write("a/2", {}).ok());
  ASSERT_TRUE(store_.Delete("a/b/1").ok());
  EXPECT_FALSE(fs::exists(folder_ / "store/a/b"));
  EXPECT_TRUE(fs::exists(folder_ / "store/a"));
  ASSERT_TRUE(store_.Delete("a/2").ok());
  EXPECT_FALSE(fs::exists(folder_ / "store/a"));
  EXPECT_TRUE(fs::exists(folder_ / "store"));
}

TEST_F(FileStoreTest, LeftoversOfDeadWritersAreInvisibleAndGoWithTheNextWrite) {
  fs::create_directories(folder_ / "store/a");
  Put(folder_ / "store/a/.headrace-tmp-dead", "half a va");
  EXPECT_THAT(Keys(store_), ElementsAre());
  ASSERT_TRUE(store_.Write("a/key", {}).ok());
  EXPECT_FALSE(fs::exists(folder_ / "store/a/.headrace-tmp-dead"));
  Put(folder_ / "store/a/.headrace-tmp-dead", "half a va");
  ASSERT_TRUE(store_.Delete("a/key").ok());
  EXPECT_FALSE(fs::exists(folder_ / "store/a")) << "the leftover kept its folder alive";
}

TEST_F(FileStoreTest, TemporariesOfLivingWritersStay) {
  Result<std::unique_ptr<Writer>> writer = store_.Create("a/key");
  ASSERT_TRUE((*writer)->Append(AsBytes("value")).ok());
  FileStore other(folder_ / "store");
  ASSERT_TRUE(other.Write("a/other", {}).ok());
  ASSERT_TRUE(other.Delete("a/other").ok());
  ASSERT_TRUE((*writer)->Commit().ok());
  EXPECT_EQ(*store_.ReadText("a/key"), "value");
}

TEST_F(FileStoreTest, WhatAKilledProcessLeftIsRemovedOnceItIsDead) {
  const auto temporaries = [this] {
    int count = 0;
    for (const auto& each : fs::directory_iterator(folder_ / "store/a")) {
      count += each.path().filename().native().starts_with(".headrace-tmp-");
    }
    return count;
  };
  ASSERT_TRUE(store_.Write("a/other", {}).ok());
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {  // writes, and never gets to commit
    const Result<std::unique_ptr<Writer>> writer = store_.Create("a/key");
    const bool written = writer.ok() && (*writer)->Append(AsBytes("half a value")).ok();
    if (write(ready[1], "x", written ? 1 : 0) == 1) pause();
    _exit(1);
  }
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  ASSERT_TRUE(FileStore(folder_ / "store").Write("a/other", {}).ok());
  EXPECT_EQ(temporaries(), 1) << "its writer still lives";
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_THAT(Keys(store_), ElementsAre("a/other"));
  ASSERT_TRUE(FileStore(folder_ / "store").Write("a/other", {}).ok());
  EXPECT_EQ(temporaries(), 0);
  close(ready[0]);
  close(ready[1]);
}

TEST_F(FileStoreTest, FollowsLinksButNotInCircles) {
  ASSERT_TRUE(store_.Write("a/key", AsBytes("value")).ok());
  fs::create_directories(folder_ / "elsewhere");
  Put(folder_ / "elsewhere/data");
  fs::create_directory_symlink(folder_ / "elsewhere", folder_ / "store/b");
  fs::create_directory_symlink(folder_ / "store/a", folder_ / "store/a/circle");
  fs::create_symlink(folder_ / "store/a/key", folder_ / "store/c");
  fs::create_symlink(folder_ / "nowhere", folder_ / "store/dangling");
  EXPECT_THAT(Keys(store_), ElementsAre("a/key", "b/data", "c"));
}

TEST_F(FileStoreTest, ListsOnlyFiles) {
  ASSERT_TRUE(store_.Write("key", {}).ok());
  ASSERT_EQ(mkfifo((folder_ / "store/pipe").c_str(), 0600), 0);
  fs::create_directories(folder_ / "store/empty");
  EXPECT_THAT(Keys(store_), ElementsAre("key"));
  EXPECT_THAT(Keys(store_, "key/"), ElementsAre());
}

TEST_F(FileStoreTest, APipeIsRefusedInsteadOfWaitedFor) {
  ASSERT_TRUE(store_.Write("key", {}).ok());
  ASSERT_EQ(mkfifo((folder_ / "store/pipe").c_str(), 0600), 0);
  EXPECT_EQ(store_.Read("pipe").status().ToString(),
            "FAILED_PRECONDITION: reading " + (folder_ / "store/pipe") +
                ": it is a pipe or a device; copy it into a file first");
}

}  // namespace
}  // namespace headrace::io
