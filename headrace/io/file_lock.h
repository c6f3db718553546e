// FileLock: a file that one process at a time holds, so that what lies beside it has one writer.
//
// The kernel keeps the lock (flock) and frees it when the process ends, however it ends: what a kill leaves
// is a file that nobody holds, and whoever comes next takes it. It binds only those who ask for it, and two
// in one process exclude each other too. On NFS it holds between machines; some mounts know no locks at all,
// and Take says so. Not thread-safe.
//
//   HR_TRY(std::unique_ptr<FileLock> lock, FileLock::Take("runs/mnist/train.lock"));
//   HR_TRY(WriteEverything());  // alone, until `lock` is destroyed
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/io/file_system.h"

namespace headrace::io {

class FileLock {
 public:
  // Takes the lock at once or not at all, making the file and its folders where they are missing.
  // kUnavailable if somebody holds it, saying who: "process 4242 on atlas holds runs/mnist/train.lock".
  // kUnimplemented on a file system without locks; then nothing is left there.
  static Result<std::unique_ptr<FileLock>> Take(std::string path, FileSystem& files = RealFileSystem());

  // Frees the lock and removes the file, and those folders that were made for it and are still empty.
  ~FileLock();

  const std::string& path() const { return path_; }

 private:
  FileLock(std::string path, FileSystem& files) : path_(std::move(path)), files_(files) {}
  Status Open();
  Status MakeFolder();
  Result<bool> TryLock();
  bool IsStillThere() const;
  void WriteHolder();
  void Close();

  const std::string path_;
  FileSystem& files_;
  std::vector<std::string> made_;  // folders, outermost first
  int fd_ = -1;
  bool held_ = false;
};

}  // namespace headrace::io
