#include "headrace/io/log_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <thread>

#include "headrace/io/faulty_file_system.h"
#include "headrace/io/record.h"
#include "headrace/io/temporary_folder.h"

namespace headrace::io {
namespace {

std::string Content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class LogFileTest : public testing::Test {
 protected:
  std::unique_ptr<LogFile> Open(const KeepLength& keep) {
    Result<std::unique_ptr<LogFile>> log = LogFile::Open(path_, keep);
    EXPECT_TRUE(log.ok()) << log.status().ToString();
    return log.ok() ? *std::move(log) : nullptr;
  }
  void Put(std::string_view text) { std::ofstream(path_, std::ios::binary) << text; }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "metrics.jsonl";
};

TEST_F(LogFileTest, AppendsAndGoesOn) {
  path_ = folder_ / "new/folders/metrics.jsonl";
  {
    const std::unique_ptr<LogFile> log = Open(WholeLines);
    ASSERT_TRUE(log->Append(AsBytes("one\n")).ok());
    EXPECT_EQ(Content(path_), "one\n") << "not visible at once";
    ASSERT_TRUE(log->Append(AsBytes("two\nthree\n")).ok());
    ASSERT_TRUE(log->Flush().ok());
    EXPECT_EQ(log->size(), 14);
    EXPECT_EQ(log->path(), path_);
  }
  const std::unique_ptr<LogFile> log = Open(WholeLines);
  EXPECT_EQ(log->size(), 14);
  ASSERT_TRUE(log->Append(AsBytes("four\n")).ok());
  EXPECT_EQ(Content(path_), "one\ntwo\nthree\nfour\n");
}

TEST_F(LogFileTest, CutsOffATornLine) {
  Put("one\ntwo\nthr");
  ASSERT_TRUE(Open(WholeLines)->Append(AsBytes("3\n")).ok());
  EXPECT_EQ(Content(path_), "one\ntwo\n3\n");
  Put("torn");
  EXPECT_EQ(Open(WholeLines)->size(), 0);
  EXPECT_EQ(Content(path_), "");
}

TEST_F(LogFileTest, CutsOffATornRecord) {
  std::string two;
  AppendRecord(AsBytes("one"), two);
  AppendRecord(AsBytes("two"), two);
  for (size_t torn = 0; torn < 19; ++torn) {
    Put(two + two.substr(0, torn));
    EXPECT_EQ(Open(WholeRecords)->size(), static_cast<int64_t>(two.size()));
    EXPECT_EQ(Content(path_), two);
  }
}

TEST_F(LogFileTest, KeepsWhatTheCallerSays) {
  Put("step 1\nstep 2\nstep 3\n");
  // A run that resumes at step 2 takes back what came after.
  const auto up_to_step_2 = [](Bytes log) -> Result<int64_t> { return AsText(log).find("step 3"); };
  ASSERT_TRUE(Open(up_to_step_2)->Append(AsBytes("step 3, again\n")).ok());
  EXPECT_EQ(Content(path_), "step 1\nstep 2\nstep 3, again\n");
  Open(KeepNothing);
  EXPECT_EQ(Content(path_), "");
}

TEST_F(LogFileTest, ACallerWhoRefusesLosesNothing) {
  Put("not ours");
  const auto refuse = [](Bytes) -> Result<int64_t> { return InvalidArgument("line 1 is not JSON"); };
  EXPECT_EQ(LogFile::Open(path_, refuse).status().ToString(),
            "INVALID_ARGUMENT: opening the log " + path_ + ": line 1 is not JSON");
  EXPECT_EQ(Content(path_), "not ours");
}

TEST_F(LogFileTest, ThreadsDoNotMixTheirLines) {
  const std::unique_ptr<LogFile> log = Open(WholeLines);
  std::vector<std::thread> threads;
  for (char c : {'a', 'b', 'c', 'd'}) {
    threads.emplace_back([&log, c] {
      for (int i = 0; i < 100; ++i) EXPECT_TRUE(log->Append(AsBytes(std::string(50, c) + "\n")).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::istringstream lines(Content(path_));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_EQ(line, std::string(50, line[0]));
  EXPECT_EQ(count, 400);
}

TEST_F(LogFileTest, AFullDeviceIsAnErrorWithItsName) {
  path_ = "/dev/full";
  const std::unique_ptr<LogFile> log = Open(WholeLines);
  ASSERT_NE(log, nullptr);
  EXPECT_EQ(
      log->Append(AsBytes("line\n")).ToString(),
      "RESOURCE_EXHAUSTED: appending to /dev/full: no space left on the device; free some and run again");
  EXPECT_EQ(log->size(), 0);
}

TEST_F(LogFileTest, DevicesAreOnlyAppendedTo) {
  path_ = "/dev/null";
  const std::unique_ptr<LogFile> log = Open(WholeLines);
  ASSERT_NE(log, nullptr);
  EXPECT_TRUE(log->Append(AsBytes("line\n")).ok());
  EXPECT_TRUE(log->Flush().ok());
}

TEST_F(LogFileTest, SaysWhatIsInTheWay) {
  EXPECT_EQ(LogFile::Open(folder_.path(), WholeLines).status().ToString(),
            "FAILED_PRECONDITION: opening the log " + folder_.path() +
                ": it is a folder where a file is needed; choose another path");
  Put("");
  EXPECT_EQ(
      LogFile::Open(path_ + "/log", WholeLines).status().ToString(),
      "FAILED_PRECONDITION: opening the log " + path_ + "/log: making the folder " + path_ +
          ": a part of the path is a file where a folder is needed; move it away or choose another place");
}

// Appends lines while call number `call` fails; afterwards the log holds exactly those that were accepted.
TEST_F(LogFileTest, AfterAnyFaultTheLogHoldsWhatWasAccepted) {
  for (const int error : {ENOSPC, EIO}) {
    bool happened = true;
    for (int call = 0; happened; ++call) {
      const TemporaryFolder folder;
      const std::string path = folder / "run/log";
      FaultyFileSystem files(folder / "backup");
      files.FailAt(call, error);
      std::string accepted;
      {
        const Result<std::unique_ptr<LogFile>> log = LogFile::Open(path, WholeLines, files);
        for (int i = 0; log.ok() && i < 4; ++i) {
          const std::string line = "line " + std::to_string(i) + "\n";
          if ((*log)->Append(AsBytes(line)).ok()) accepted += line;
          EXPECT_EQ((*log)->size(), static_cast<int64_t>(accepted.size()));
        }
      }
      happened = files.happened();
      EXPECT_EQ(Content(path), accepted) << "call " << call;
    }
  }
}

// As above, but the process is killed, or the power cut, at the call; the next one opens the log again.
TEST_F(LogFileTest, AfterAKillTheLogGoesOnBehindWhatWasAccepted) {
  for (const bool power_cut : {false, true}) {
    bool happened = true;
    for (int call = 0; happened; ++call) {
      const TemporaryFolder folder;
      const std::string path = folder / "run/log";
      FaultyFileSystem files(folder / "backup");
      files.FailFrom(call, EIO);
      std::string accepted, flushed;
      {
        const Result<std::unique_ptr<LogFile>> log = LogFile::Open(path, WholeLines, files);
        for (int i = 0; log.ok() && i < 4; ++i) {
          const std::string line = "line " + std::to_string(i) + "\n";
          if ((*log)->Append(AsBytes(line)).ok()) accepted += line;
          if ((*log)->Flush().ok()) flushed = accepted;
        }
      }
      happened = files.happened();
      if (power_cut) files.CutPower(Names::kLost);
      ASSERT_TRUE(LogFile::Open(path, WholeLines).ok());
      EXPECT_TRUE(Content(path).starts_with(power_cut ? flushed : accepted)) << "call " << call;
      EXPECT_TRUE(Content(path).empty() || Content(path).ends_with('\n')) << "call " << call;
    }
  }
}

TEST_F(LogFileTest, ATearThatCannotBeMendedIsMendedByTheNextAppend) {
  FaultyFileSystem files(folder_ / "backup");
  const std::unique_ptr<LogFile> log = *LogFile::Open(path_, WholeLines, files);
  files.FailFrom(files.calls(), ENOSPC);
  EXPECT_FALSE(log->Append(AsBytes("12345678\n")).ok());
  EXPECT_EQ(Content(path_), "1234") << "the truncation failed too";
  EXPECT_EQ(log->Append(AsBytes("x\n")).ToString(),
            "RESOURCE_EXHAUSTED: cutting off a torn end of " + path_ +
                ": no space left on the device; free some and run again");
  files.FailAt(-1, 0);
  EXPECT_TRUE(log->Append(AsBytes("next\n")).ok());
  EXPECT_EQ(Content(path_), "next\n");
}

}  // namespace
}  // namespace headrace::io
