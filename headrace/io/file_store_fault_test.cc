// Every call that FileStore makes to change files fails once, fails for good, is where the process is killed,
// and is where the power is cut. Whatever happens, a key holds its old value or its new one, whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <functional>

#include "headrace/io/faulty_file_system.h"
#include "headrace/io/file_store.h"
#include "headrace/io/temporary_folder.h"

namespace headrace::io {
namespace {

namespace fs = std::filesystem;
using testing::Contains;

constexpr std::string_view kKey = "run/step/model";
const std::string kOld(3000, 'o');
const std::string kNew(5000, 'n');

// What happens at the call.
struct Disaster {
  std::string name;
  void (*strike)(FaultyFileSystem& files, int call);
  void (*after)(FaultyFileSystem& files);
};

void PrintTo(const Disaster& disaster, std::ostream* out) { *out << disaster.name; }

const Disaster kDisasters[] = {
    {"error", [](auto& files, int call) { files.FailAt(call, EIO); }, [](auto&) {}},
    {"full", [](auto& files, int call) { files.FailFrom(call, ENOSPC); }, [](auto&) {}},
    {"kill", [](auto& files, int call) { files.FailFrom(call, EIO); }, [](auto&) {}},
    {"power_names_lost", [](auto& files, int call) { files.FailFrom(call, EIO); },
     [](auto& files) { files.CutPower(Names::kLost); }},
    {"power_names_kept", [](auto& files, int call) { files.FailFrom(call, EIO); },
     [](auto& files) { files.CutPower(Names::kKept); }},
};

std::string Show(const Result<std::string>& value) {
  if (!value.ok()) return std::string(CodeName(value.status().code()));
  return *value == kOld   ? "old"
         : *value == kNew ? "new"
                          : "a mix of " + std::to_string(value->size()) + " bytes";
}

// The files below a folder, temporary ones included.
int CountFiles(const std::string& folder) {
  int count = 0;
  for (const auto& each : fs::recursive_directory_iterator(folder)) count += each.is_regular_file();
  return count;
}

// What is done to the store, and what may be read afterwards if it failed (besides "new") and if it did not.
struct Operation {
  bool exists_before;
  std::function<Status(Store&)> run;
  std::string before;  // as Show says it
  std::string after;
};

void StrikeEveryCall(const Disaster& disaster, const Operation& operation) {
  bool happened = true;
  for (int call = 0; happened; ++call) {
    SCOPED_TRACE(disaster.name + " at call " + std::to_string(call));
    const TemporaryFolder folder;
    FaultyFileSystem fine(folder / "fine");  // without faults; spares the time of real syncs
    if (operation.exists_before) {
      ASSERT_TRUE(FileStore(folder / "store", fine).Write(kKey, AsBytes(kOld)).ok());
    }
    FaultyFileSystem files(folder / "backup");
    disaster.strike(files, call);
    FileStore store(folder / "store", files);
    const Status status = operation.run(store);
    happened = files.happened();
    disaster.after(files);

    FileStore restarted(folder / "store", fine);
    const std::string value = Show(restarted.ReadText(kKey));
    if (status.ok()) {
      EXPECT_EQ(value, operation.after) << "success was reported";
    } else {
      EXPECT_TRUE(happened) << status.ToString();
      EXPECT_TRUE(value == operation.before || value == operation.after) << value;
    }
    const Result<std::vector<Entry>> entries = restarted.List("");
    ASSERT_TRUE(entries.ok());
    EXPECT_EQ(entries->size(), value == "NOT_FOUND" ? 0u : 1u) << "a temporary file shows";
    // The next writer works, and cleans up.
    EXPECT_EQ(restarted.Write(kKey, AsBytes(kNew)).ToString(), "OK");
    EXPECT_EQ(CountFiles(folder / "store"), 1);
  }
}

class FileStoreFaults : public testing::TestWithParam<Disaster> {};

Status WriteInPieces(Store& store, WriteIf condition) {
  HR_TRY(const std::unique_ptr<Writer> writer, store.Create(kKey, condition));
  for (size_t at = 0; at < kNew.size(); at += 1000) HR_TRY(writer->Append(AsBytes(kNew).subspan(at, 1000)));
  return writer->Commit();
}

TEST_P(FileStoreFaults, ReplacingAValue) {
  StrikeEveryCall(GetParam(), {.exists_before = true,
                               .run = [](Store& store) { return WriteInPieces(store, WriteIf::kAlways); },
                               .before = "old",
                               .after = "new"});
}

TEST_P(FileStoreFaults, WritingAFirstValueIntoNewFolders) {
  StrikeEveryCall(GetParam(), {.exists_before = false,
                               .run = [](Store& store) { return WriteInPieces(store, WriteIf::kAlways); },
                               .before = "NOT_FOUND",
                               .after = "new"});
}

TEST_P(FileStoreFaults, WritingAValueIfThereIsNone) {
  StrikeEveryCall(GetParam(), {.exists_before = false,
                               .run = [](Store& store) { return WriteInPieces(store, WriteIf::kAbsent); },
                               .before = "NOT_FOUND",
                               .after = "new"});
}

TEST_P(FileStoreFaults, DeletingAValue) {
  StrikeEveryCall(GetParam(), {.exists_before = true,
                               .run = [](Store& store) { return store.Delete(kKey); },
                               .before = "old",
                               .after = "NOT_FOUND"});
}

INSTANTIATE_TEST_SUITE_P(All, FileStoreFaults, testing::ValuesIn(kDisasters),
                         [](const auto& info) { return info.param.name; });

TEST(FileStoreFaultsCover, EveryCallThatCanFail) {
  const TemporaryFolder folder;
  FaultyFileSystem files(folder / "backup");
  FileStore store(folder / "store", files);
  ASSERT_TRUE(WriteInPieces(store, WriteIf::kAlways).ok());
  ASSERT_TRUE(store.Delete(kKey).ok());
  for (const char* call : {"open", "write", "fsync", "close", "mkdir", "rmdir", "unlink", "rename"}) {
    EXPECT_THAT(files.log(), Contains(call));
  }
}

TEST(FileStoreFaults, AFailedWriterStaysFailed) {
  const TemporaryFolder folder;
  FaultyFileSystem files(folder / "backup");
  FileStore store(folder / "store", files);
  const std::unique_ptr<Writer> writer = *store.Create("key");
  files.FailAt(files.calls(), ENOSPC);
  const std::string error = "RESOURCE_EXHAUSTED: writing " + (folder / "store/key") +
                            ": no space left on the device; free some and run again";
  EXPECT_EQ(writer->Append(AsBytes("12345678")).ToString(), error);
  EXPECT_EQ(writer->Append(AsBytes("9")).ToString(), error);
  EXPECT_EQ(writer->Commit().ToString(), error);
  EXPECT_EQ(store.Read("key").status().code(), Code::kNotFound);
}

TEST(FileStoreFaults, SaysWhatFailedAndWhatToDo) {
  const std::pair<int, std::string> messages[] = {
      {ENOSPC, "RESOURCE_EXHAUSTED: writing {}: no space left on the device; free some and run again"},
      {EDQUOT, "RESOURCE_EXHAUSTED: writing {}: the disk quota is used up; free some space and run again"},
      {EROFS,
       "PERMISSION_DENIED: writing {}: the file system is mounted read-only; choose a place that is "
       "writable"},
      {EACCES,
       "PERMISSION_DENIED: writing {}: permission denied; give this user access to it and to the folders "
       "above it, "
       "or choose another place"},
      {EIO,
       "DATA_LOSS: writing {}: the device failed (input/output error); check the disk (dmesg) or the network "
       "mount"},
      {EMFILE, "RESOURCE_EXHAUSTED: writing {}: too many open files; raise the limit (ulimit -n)"},
  };
  for (const auto& [error, message] : messages) {
    const TemporaryFolder folder;
    ASSERT_TRUE(FileStore(folder / "store").Write("key", AsBytes("old")).ok());
    FaultyFileSystem files(folder / "backup");
    FileStore store(folder / "store", files);
    ASSERT_TRUE(
        store.Write("warm", {}).ok());  // the folder is prepared: what comes next opens the temporary file
    files.FailAt(files.calls(), error);
    EXPECT_EQ(store.Write("key", AsBytes("new")).ToString(),
              fmt::format(fmt::runtime(message), folder / "store/key"));
    EXPECT_EQ(*store.ReadText("key"), "old");
  }
}

}  // namespace
}  // namespace headrace::io
