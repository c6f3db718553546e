// FaultyFileSystem: the real one, in which one call fails, or at which the process is killed or the power
// cut. For tests, also of other modules, that what they write is there whole or not at all. Not thread-safe.
//
//   for (int call = 0;; ++call) {
//     FaultyFileSystem files(folder / "backup");
//     files.FailFrom(call, EIO);
//     const Status status = FileStore(folder / "store", files).Write("key", value);
//     files.CutPower(Names::kLost);          // forgets what was not synced
//     …                                      // what does a new FileStore read?
//     if (!files.happened()) break;          // beyond the last call
//   }
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "headrace/io/file_system.h"

namespace headrace::io {

// What becomes, in a power cut, of names that were made, changed or removed in a folder that was not synced
// since.
enum class Names {
  kLost,  // they are as they were
  kKept,  // they reached the disk, though perhaps their data did not
};

class FaultyFileSystem final : public FileSystem {
 public:
  // `backup` is a folder for copies of what may have to come back; on the same file system, made if missing.
  explicit FaultyFileSystem(std::string backup);
  ~FaultyFileSystem() override;

  // Call number `call` (from 0) fails with `error`; a write does so after half of its bytes.
  void FailAt(int call, int error);
  // It and every later one do: as on a disk that is full and stays so, or, for what is left behind, as if the
  // process were killed there.
  void FailFrom(int call, int error);

  // Every lock fails with `error` (0: none does). Locks are no change, so they are not among the calls.
  void FailLocks(int error) { lock_error_ = error; }

  // After the calls: whether the fault was met, how many calls there were, and by name.
  bool happened() const { return happened_; }
  int calls() const { return static_cast<int>(log_.size()); }
  const std::vector<std::string>& log() const { return log_; }

  // Takes back everything that a power cut at this moment may take.
  void CutPower(Names names);

  int Open(const std::string& path, int flags) override;
  int64_t Write(int fd, Bytes bytes) override;
  int Truncate(int fd, int64_t size) override;
  int Fsync(int fd) override;
  int Close(int fd) override;
  int Mkdir(const std::string& path) override;
  int Rmdir(const std::string& path) override;
  int Unlink(const std::string& path) override;
  int Rename(const std::string& from, const std::string& to) override;
  int RenameNoReplace(const std::string& from, const std::string& to) override;
  int TryLock(int fd) override;

 private:
  struct Change {
    std::string folder;
    std::function<void()> undo;
  };

  // Counts a call. Its error if it is to fail, 0 if it is to happen.
  int Enter(std::string name);
  // Keeps what is at `path`, if anything; what to call to bring it back.
  std::function<void()> Keep(const std::string& path);
  void Changed(const std::string& path, std::function<void()> undo);
  int Move(const std::string& from, const std::string& to,
           int (FileSystem::*move)(const std::string&, const std::string&));

  const std::string backup_;
  int backups_ = 0;
  FileSystem& real_ = RealFileSystem();

  int fault_call_ = -1;
  int fault_error_ = 0;
  bool fault_stays_ = false;
  int lock_error_ = 0;
  bool happened_ = false;
  std::vector<std::string> log_;

  std::map<int, std::string> open_;          // paths of open descriptors
  std::map<std::string, int64_t> unsynced_;  // files with data that are not safe, and how many bytes are
  std::vector<Change> changes_;              // names that are not safe
};

}  // namespace headrace::io
