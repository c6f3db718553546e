// FileSystem: the system calls that change files, behind one interface, so that a test can fail each of them
// (faulty_file_system.h) and see what is left.
//
// Every call answers like the system call of its name, or with -errno; none is ever interrupted (EINTR).
// Reading needs no such seam and calls the system directly. Safe to use from any thread.
#pragma once

#include <cstdint>
#include <string>

#include "headrace/io/bytes.h"

namespace headrace::io {

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  virtual int Open(const std::string& path, int flags) = 0;  // a descriptor; new files obey the umask
  virtual int64_t Write(int fd, Bytes bytes) = 0;            // how many were written, at least 1 of 1 or more
  virtual int Truncate(int fd, int64_t size) = 0;
  virtual int Fsync(int fd) = 0;
  virtual int Close(int fd) = 0;
  virtual int Mkdir(const std::string& path) = 0;
  virtual int Rmdir(const std::string& path) = 0;
  virtual int Unlink(const std::string& path) = 0;
  virtual int Rename(const std::string& from, const std::string& to) = 0;
  // As Rename, but -EEXIST if `to` exists; atomic.
  virtual int RenameNoReplace(const std::string& from, const std::string& to) = 0;
  // Locks the file for this descriptor alone, until it is closed; -EWOULDBLOCK if another one has it.
  virtual int TryLock(int fd) = 0;
};

// The one that calls the system.
FileSystem& RealFileSystem();

}  // namespace headrace::io
