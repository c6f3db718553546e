// Places where files cannot be written or read: full, read-only, without permission, with something in the
// way. What was stored before is still there, nothing partial is left, and the message says what to do.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "headrace/io/file_store.h"
#include "headrace/io/log_file.h"
#include "headrace/io/temporary_folder.h"

namespace headrace::io {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

// A small file system of its own, where the system lets us mount one (as root); gone with this process at
// latest.
class SmallDisk {
 public:
  explicit SmallDisk(std::string path) : path_(std::move(path)) {
    fs::create_directories(path_);
    mounted_ = unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               mount("none", path_.c_str(), "tmpfs", 0, "size=256k") == 0;
  }
  ~SmallDisk() {
    if (mounted_) umount2(path_.c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }
  bool MakeReadOnly() { return mount(nullptr, path_.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0; }

 private:
  std::string path_;
  bool mounted_ = false;
};

// Nobody in particular while it lives: root may do everything.
class AsNobody {
 public:
  AsNobody() : before_(geteuid()) { EXPECT_TRUE(before_ != 0 || seteuid(65534) == 0); }
  ~AsNobody() { EXPECT_EQ(seteuid(before_), 0); }

 private:
  uid_t before_;
};

// Files may be no larger than this while it lives; writing more is an error instead of a signal.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t size) {
    getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{size, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_;
  sighandler_t handler_;
};

class FileStorePlaceTest : public testing::Test {
 protected:
  // Every file that is there, hidden ones too.
  std::vector<std::string> Files() {
    std::vector<std::string> names;
    for (const auto& each : fs::recursive_directory_iterator(root_)) {
      if (each.is_regular_file()) names.push_back(fs::relative(each.path(), root_));
    }
    return names;
  }

  void ExpectTheOldValueAlone() {
    EXPECT_EQ(*store_.ReadText("key"), "old");
    EXPECT_THAT(Files(), ElementsAre("key"));
  }

  TemporaryFolder folder_;
  std::string root_ = folder_ / "store";
  FileStore store_{root_};
  const std::string large_ = std::string(1 << 20, 'x');
};

TEST_F(FileStorePlaceTest, AFullDisk) {
  SmallDisk disk(root_);
  if (!disk.mounted()) GTEST_SKIP() << "mounting a file system needs more rights than this user has";
  ASSERT_TRUE(store_.Write("key", AsBytes("old")).ok());
  EXPECT_EQ(
      store_.Write("key", AsBytes(large_)).ToString(),
      "RESOURCE_EXHAUSTED: writing " + root_ + "/key: no space left on the device; free some and run again");
  ExpectTheOldValueAlone();
  EXPECT_TRUE(store_.Write("small", AsBytes("x")).ok()) << "the space was not given back";
}

TEST_F(FileStorePlaceTest, AFullDiskUnderALog) {
  SmallDisk disk(root_);
  if (!disk.mounted()) GTEST_SKIP() << "mounting a file system needs more rights than this user has";
  const std::unique_ptr<LogFile> log = *LogFile::Open(root_ + "/log", WholeLines);
  ASSERT_TRUE(log->Append(AsBytes("line\n")).ok());
  EXPECT_EQ(log->Append(AsBytes(large_)).ToString(),
            "RESOURCE_EXHAUSTED: appending to " + root_ +
                "/log: no space left on the device; free some and run again");
  EXPECT_EQ(*store_.ReadText("log"), "line\n");
  EXPECT_TRUE(log->Append(AsBytes("next\n")).ok());
  EXPECT_EQ(*store_.ReadText("log"), "line\nnext\n");
}

TEST_F(FileStorePlaceTest, AReadOnlyFileSystem) {
  SmallDisk disk(root_);
  if (!disk.mounted()) GTEST_SKIP() << "mounting a file system needs more rights than this user has";
  ASSERT_TRUE(store_.Write("key", AsBytes("old")).ok());
  ASSERT_TRUE(disk.MakeReadOnly());
  const std::string why = ": the file system is mounted read-only; choose a place that is writable";
  EXPECT_EQ(store_.Write("key", AsBytes("new")).ToString(),
            "PERMISSION_DENIED: writing " + root_ + "/key" + why);
  EXPECT_EQ(store_.Write("a/b", AsBytes("new")).ToString(),
            "PERMISSION_DENIED: writing " + root_ + "/a/b: making the folder " + root_ + "/a" + why);
  EXPECT_EQ(store_.Delete("key").ToString(), "PERMISSION_DENIED: deleting " + root_ + "/key" + why);
  ExpectTheOldValueAlone();
}

TEST_F(FileStorePlaceTest, AFileSizeLimit) {
  ASSERT_TRUE(store_.Write("key", AsBytes("old")).ok());
  const std::unique_ptr<LogFile> log = *LogFile::Open(folder_ / "log", WholeLines);
  const FileSizeLimit limit(100000);
  EXPECT_EQ(
      store_.Write("key", AsBytes(large_)).ToString(),
      "RESOURCE_EXHAUSTED: writing " + root_ +
          "/key: larger than files may be here; raise the limit (ulimit -f) or choose another file system");
  ExpectTheOldValueAlone();
  EXPECT_EQ(log->Append(AsBytes(large_)).code(), Code::kResourceExhausted);
  EXPECT_EQ(fs::file_size(folder_ / "log"), 0u) << "part of it is there";
}

TEST_F(FileStorePlaceTest, AFolderWithoutPermission) {
  ASSERT_TRUE(store_.Write("key", AsBytes("old")).ok());
  fs::permissions(folder_.path(), fs::perms(0755));
  fs::permissions(root_, fs::perms(0555));
  const std::string why =
      ": permission denied; give this user access to it and to the folders above it, or choose another place";
  {
    const AsNobody nobody;
    EXPECT_EQ(store_.Write("key", AsBytes("new")).ToString(),
              "PERMISSION_DENIED: writing " + root_ + "/key" + why);
    EXPECT_EQ(store_.Write("a/b", AsBytes("new")).ToString(),
              "PERMISSION_DENIED: writing " + root_ + "/a/b: making the folder " + root_ + "/a" + why);
    EXPECT_EQ(store_.Delete("key").ToString(), "PERMISSION_DENIED: deleting " + root_ + "/key" + why);
    EXPECT_EQ(LogFile::Open(root_ + "/log", WholeLines).status().ToString(),
              "PERMISSION_DENIED: opening the log " + root_ + "/log" + why);
  }
  ExpectTheOldValueAlone();
  fs::permissions(root_, fs::perms(0700));
}

TEST_F(FileStorePlaceTest, AFileOrFolderThatMayNotBeRead) {
  ASSERT_TRUE(store_.Write("key", AsBytes("old")).ok());
  ASSERT_TRUE(store_.Write("hidden/key", AsBytes("old")).ok());
  fs::permissions(folder_.path(), fs::perms(0755));
  fs::permissions(root_ + "/key", fs::perms::none);
  fs::permissions(root_ + "/hidden", fs::perms::none);
  {
    const AsNobody nobody;
    EXPECT_EQ(store_.Read("key").status().code(), Code::kPermissionDenied);
    const Status listing = store_.List("").status();
    EXPECT_EQ(listing.code(), Code::kPermissionDenied);
    EXPECT_THAT(listing.message(), testing::StartsWith("listing " + root_ + "/hidden: permission denied"));
  }
  fs::permissions(root_ + "/hidden", fs::perms::owner_all);
}

TEST_F(FileStorePlaceTest, AFileInTheWayOfAFolder) {
  ASSERT_TRUE(store_.Write("key", AsBytes("old")).ok());
  const std::string why =
      ": a part of the path is a file where a folder is needed; move it away or choose another place";
  EXPECT_EQ(store_.Write("key/part", {}).ToString(),
            "FAILED_PRECONDITION: writing " + root_ + "/key/part: making the folder " + root_ + "/key" + why);
  EXPECT_EQ(store_.Read("key/part").status().ToString(),
            "FAILED_PRECONDITION: reading " + root_ + "/key/part" + why);
  EXPECT_TRUE(store_.Delete("key/part").ok());
  ExpectTheOldValueAlone();
}

TEST_F(FileStorePlaceTest, AFolderInTheWayOfAFile) {
  ASSERT_TRUE(store_.Write("folder/key", {}).ok());
  const std::string why = ": it is a folder where a file is needed; choose another path";
  EXPECT_EQ(store_.Write("folder", {}).ToString(), "FAILED_PRECONDITION: writing " + root_ + "/folder" + why);
  EXPECT_EQ(store_.Read("folder").status().ToString(),
            "FAILED_PRECONDITION: reading " + root_ + "/folder" + why);
  EXPECT_EQ(store_.Size("folder").status().ToString(),
            "FAILED_PRECONDITION: reading " + root_ + "/folder" + why);
  EXPECT_EQ(store_.Delete("folder").ToString(), "FAILED_PRECONDITION: deleting " + root_ + "/folder" + why);
  EXPECT_THAT(Files(), ElementsAre("folder/key"));
}

TEST_F(FileStorePlaceTest, ANameThatIsTooLong) {
  const std::string name(300, 'n');
  EXPECT_EQ(store_.Write(name, {}).ToString(),
            fmt::format("INVALID_ARGUMENT: writing {}/{}: the name is too long for "
                        "this file system; choose a shorter one",
                        root_, name));
}

TEST_F(FileStorePlaceTest, ALinkThatLeadsNowhereInPlaceOfAFolder) {
  fs::create_directory_symlink(folder_ / "nowhere", root_);
  const Status status = store_.Write("key", {});
  EXPECT_EQ(status.code(), Code::kFailedPrecondition) << status.ToString();
}

TEST_F(FileStorePlaceTest, AKernelFolder) {
  FileStore proc("/proc/headrace");
  EXPECT_EQ(proc.Write("key", {}).ToString(),
            "NOT_FOUND: writing /proc/headrace/key: making the folder /proc/headrace: no such file or "
            "folder; check the "
            "path");
}

}  // namespace
}  // namespace headrace::io
