// The same as crash_test.cc one layer further down: every system call that changes a file, of a save and a
// prune on a FileStore, fails, is where the disk is full, where the process is killed, and where the power is
// cut. And real processes, really killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <random>
#include <thread>

#include "headrace/checkpoint/checkpoint_store.h"
#include "headrace/checkpoint/test/example.h"
#include "headrace/io/faulty_file_system.h"
#include "headrace/io/file_store.h"
#include "headrace/io/temporary_folder.h"

namespace headrace::checkpoint {
namespace {

using testing::IsEmpty;

struct Disaster {
  std::string name;
  void (*strike)(io::FaultyFileSystem& files, int call);
  void (*after)(io::FaultyFileSystem& files);
};

void PrintTo(const Disaster& disaster, std::ostream* out) { *out << disaster.name; }

void FailAt(io::FaultyFileSystem& files, int call) { files.FailAt(call, EIO); }
void FillUp(io::FaultyFileSystem& files, int call) { files.FailFrom(call, ENOSPC); }
void Stop(io::FaultyFileSystem& files, int call) { files.FailFrom(call, EIO); }
void Nothing(io::FaultyFileSystem&) {}
void LoseNames(io::FaultyFileSystem& files) { files.CutPower(io::Names::kLost); }
void KeepNames(io::FaultyFileSystem& files) { files.CutPower(io::Names::kKept); }

class FileCrashTest : public testing::TestWithParam<Disaster> {};
INSTANTIATE_TEST_SUITE_P(Disasters, FileCrashTest,
                         testing::Values(Disaster{"Error", FailAt, Nothing},
                                         Disaster{"Full", FillUp, Nothing}, Disaster{"Kill", Stop, Nothing},
                                         Disaster{"PowerNamesLost", Stop, LoseNames},
                                         Disaster{"PowerNamesKept", Stop, KeepNames}),
                         [](const auto& info) { return info.param.name; });

// What the next process finds and does. Returns the newest step that it found.
int64_t FindAndGoOn(io::Store& store, bool saved) {
  CheckpointStore next(store, "checkpoints");
  EXPECT_THAT(next.List().value().warnings, IsEmpty());
  Restored restored = next.ReadLatest().value();
  int64_t step = restored.checkpoint->step();
  EXPECT_TRUE(step == 3 || (step == 2 && !saved)) << step;
  EXPECT_THAT(restored.warnings, IsEmpty());
  ExpectHolds(restored.contents, ExampleSnapshot(step));
  if (step == 2) ExpectOk(next.Save(ExampleSnapshot(3)).status());
  ExpectOk(next.Prune(1).status());
  EXPECT_EQ(Keys(store).size(), 5u);
  ExpectHolds(next.ReadLatest().value().contents, ExampleSnapshot(3));
  return step;
}

TEST_P(FileCrashTest, LeavesTheOldOrTheNewAtEveryCall) {
  int old = 0, call = 0;
  for (bool happened = true; happened; ++call) {
    SCOPED_TRACE(call);
    io::TemporaryFolder folder;
    io::FaultyFileSystem fine(folder / "fine");
    io::FileStore before(folder / "run", fine);
    CheckpointStore first(before, "checkpoints", {.writer = DeadWriter()});
    for (int64_t step : {1, 2}) ExpectOk(first.Save(ExampleSnapshot(step)).status());

    io::FaultyFileSystem files(folder / "backup");
    GetParam().strike(files, call);
    io::FileStore struck(folder / "run", files);
    CheckpointStore checkpoints(struck, "checkpoints", {.writer = DeadWriter()});
    bool saved = checkpoints.Save(ExampleSnapshot(3)).ok();
    (void)checkpoints.Prune(2).ok();
    happened = files.happened();
    GetParam().after(files);

    io::FileStore after(folder / "run", fine);
    if (FindAndGoOn(after, saved) == 2) ++old;
  }
  EXPECT_GT(old, 20);         // calls before the commit
  EXPECT_GT(call, old + 10);  // and after it
}

// Saves 1, 2, 3 … until it is killed.
[[noreturn]] void SaveForever(const std::string& folder) {
  io::FileStore store(folder);
  CheckpointStore checkpoints(store, "checkpoints");
  Result<Restored> restored = checkpoints.ReadLatest();
  int64_t step = restored.ok() && restored->checkpoint ? restored->checkpoint->step() : 0;
  while (restored.ok()) {
    if (!checkpoints.Save(ExampleSnapshot(++step)).ok() || !checkpoints.Prune(2).ok()) break;
  }
  _exit(1);
}

TEST(KilledProcess, LeavesWholeCheckpointsAndNothingElse) {
  io::TemporaryFolder folder;
  std::mt19937 random(1);
  int64_t last = 0;
  for (int round = 0; round < 12; ++round) {
    pid_t child = fork();
    if (child == 0) SaveForever(folder / "run");
    std::this_thread::sleep_for(std::chrono::microseconds(20'000 + random() % 200'000));
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, WNOHANG), 0) << "it stopped by itself";
    kill(child, SIGKILL);
    waitpid(child, &status, 0);

    io::FileStore store(folder / "run");
    CheckpointStore checkpoints(store, "checkpoints");
    Restored restored = checkpoints.ReadLatest().value();
    EXPECT_THAT(restored.warnings, IsEmpty());
    if (!restored.checkpoint) continue;
    EXPECT_GE(restored.checkpoint->step(), last);
    last = restored.checkpoint->step();
    ExpectHolds(restored.contents, ExampleSnapshot(last));
    ExpectOk(checkpoints.Prune(1).status());
    EXPECT_EQ(Keys(store).size(), 5u);
  }
  EXPECT_GT(last, 0);
}

}  // namespace
}  // namespace headrace::checkpoint
