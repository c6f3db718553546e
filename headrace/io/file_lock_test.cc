#include "headrace/io/file_lock.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <thread>

#include "headrace/io/faulty_file_system.h"
#include "headrace/io/temporary_folder.h"

namespace headrace::io {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace fs = std::filesystem;

class FileLockTest : public testing::Test {
 protected:
  std::unique_ptr<FileLock> Take(FileSystem& files = RealFileSystem()) {
    Result<std::unique_ptr<FileLock>> lock = FileLock::Take(path_, files);
    EXPECT_EQ(lock.status().ToString(), "OK");
    return lock.ok() ? *std::move(lock) : nullptr;
  }
  std::string Refusal(FileSystem& files = RealFileSystem()) {
    return FileLock::Take(path_, files).status().ToString();
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "train.lock";
};

TEST_F(FileLockTest, TheSecondIsRefusedByTheNameOfTheFirst) {
  const std::unique_ptr<FileLock> lock = Take();
  EXPECT_EQ(lock->path(), path_);
  EXPECT_THAT(Refusal(), StartsWith(fmt::format("UNAVAILABLE: process {} on ", getpid())));
  EXPECT_THAT(Refusal(), HasSubstr(" holds " + path_));
}

TEST_F(FileLockTest, OnceFreeItLeavesNothingAndCanBeTakenAgain) {
  for (int i = 0; i < 3; ++i) {
    const std::unique_ptr<FileLock> lock = Take();
    EXPECT_TRUE(fs::exists(path_));
    EXPECT_NE(Refusal(), "OK");
  }
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(FileLockTest, FoldersThatItMadeGoIfNothingIsInThem) {
  path_ = folder_ / "runs/mnist/train.lock";
  Take().reset();
  EXPECT_TRUE(fs::is_empty(folder_.path()));
  {
    const std::unique_ptr<FileLock> lock = Take();
    std::ofstream(folder_ / "runs/mnist/config.yaml") << "name: mnist\n";
  }
  EXPECT_TRUE(fs::exists(folder_ / "runs/mnist/config.yaml"));
  EXPECT_FALSE(fs::exists(path_));
  // Those that were there before stay.
  fs::remove(folder_ / "runs/mnist/config.yaml");
  Take().reset();
  EXPECT_TRUE(fs::exists(folder_ / "runs/mnist"));
}

// A process that takes the lock, says so, and never frees it.
TEST_F(FileLockTest, AKilledHolderHoldsNothing) {
  std::array<int, 2> ready;
  ASSERT_EQ(pipe(ready.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const Result<std::unique_ptr<FileLock>> lock = FileLock::Take(path_);
    if (!lock.ok() || write(ready[1], "x", 1) != 1) _exit(1);
    while (true) pause();
  }
  close(ready[1]);
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1) << "the child could not take the lock";
  close(ready[0]);
  EXPECT_THAT(Refusal(), HasSubstr(fmt::format("process {} on ", child)));

  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(path_)) << "nobody was there to remove it";
  const std::unique_ptr<FileLock> lock = Take();
  EXPECT_THAT(Refusal(), HasSubstr(fmt::format("process {} on ", getpid())));
}

// Threads that take and free it as fast as they can never hold it together.
TEST_F(FileLockTest, NeverHasTwoHolders) {
  path_ = folder_ / "runs/mnist/train.lock";
  std::atomic<int> holders = 0, taken = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 300; ++turn) {
        const Result<std::unique_ptr<FileLock>> lock = FileLock::Take(path_);
        if (!lock.ok()) {
          const Code code = lock.status().code();
          EXPECT_TRUE(code == Code::kUnavailable || code == Code::kAborted) << lock.status().ToString();
          continue;
        }
        EXPECT_EQ(++holders, 1);
        ++taken;
        --holders;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(taken, 0);
}

TEST_F(FileLockTest, AFileSystemWithoutLocksIsNamedAndLeftAlone) {
  path_ = folder_ / "runs/train.lock";
  FaultyFileSystem files(folder_ / "backup");
  for (const int error : {ENOLCK, ENOSYS, EOPNOTSUPP}) {
    files.FailLocks(error);
    EXPECT_THAT(Refusal(files),
                StartsWith("UNIMPLEMENTED: locking " + path_ + ": the file system has no locks ("));
    EXPECT_FALSE(fs::exists(folder_ / "runs"));
  }
}

TEST_F(FileLockTest, AFullDiskDoesNotMatter) {
  FaultyFileSystem files(folder_ / "backup");
  files.FailFrom(2, ENOSPC);  // mkdir, open, and then nothing can be written
  const std::unique_ptr<FileLock> lock = Take(files);
  EXPECT_THAT(Refusal(), StartsWith("UNAVAILABLE: another process holds "));
}

TEST_F(FileLockTest, SaysWhatIsInTheWay) {
  fs::create_directory(path_);
  EXPECT_EQ(Refusal(), "FAILED_PRECONDITION: locking " + path_ +
                           ": it is a folder where a file is needed; choose another path");
  std::ofstream(folder_ / "notes.txt") << "x";
  path_ = folder_ / "notes.txt/train.lock";
  EXPECT_EQ(Refusal(), "FAILED_PRECONDITION: making the folder " + folder_ / "notes.txt" +
                           ": a part of the path is a file where a folder is needed; move it away or choose "
                           "another place");
}

}  // namespace
}  // namespace headrace::io
