#include "headrace/io/file_system.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace headrace::io {
namespace {

// Calls `call` until it is not interrupted; what it returned, or -errno.
template <class Call>
auto Repeat(Call call) -> decltype(call()) {
  while (true) {
    const auto result = call();
    if (result >= 0) return result;
    if (errno != EINTR) return -errno;
  }
}

class SystemCalls final : public FileSystem {
 public:
  int Open(const std::string& path, int flags) override {
    return Repeat([&] { return open(path.c_str(), flags | O_CLOEXEC, 0666); });
  }
  int64_t Write(int fd, Bytes bytes) override {
    constexpr size_t kMost = 1 << 30;  // Linux writes no more than 2 GiB at once
    return Repeat([&]() -> int64_t { return write(fd, bytes.data(), std::min(bytes.size(), kMost)); });
  }
  int Truncate(int fd, int64_t size) override {
    return Repeat([&] { return ftruncate(fd, size); });
  }
  int Fsync(int fd) override {
    return Repeat([&] { return fsync(fd); });
  }
  int Close(int fd) override {
    // Linux has released the descriptor even when it says EINTR: never repeat.
    return close(fd) == 0 || errno == EINTR ? 0 : -errno;
  }
  int Mkdir(const std::string& path) override {
    return Repeat([&] { return mkdir(path.c_str(), 0777); });
  }
  int Rmdir(const std::string& path) override {
    return Repeat([&] { return rmdir(path.c_str()); });
  }
  int Unlink(const std::string& path) override {
    return Repeat([&] { return unlink(path.c_str()); });
  }
  int Rename(const std::string& from, const std::string& to) override {
    return Repeat([&] { return rename(from.c_str(), to.c_str()); });
  }
  int RenameNoReplace(const std::string& from, const std::string& to) override {
    const int result =
        Repeat([&] { return renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE); });
    if (result != -EINVAL && result != -ENOSYS && result != -ENOTSUP) return result;
    // NFS and some FUSE file systems know no such flag, but a link is exclusive everywhere it exists.
    const int linked = Repeat([&] { return link(from.c_str(), to.c_str()); });
    if (linked == 0) unlink(from.c_str());
    return linked;
  }
  int TryLock(int fd) override {
    return Repeat([&] { return flock(fd, LOCK_EX | LOCK_NB); });
  }
};

}  // namespace

FileSystem& RealFileSystem() {
  static SystemCalls calls;
  return calls;
}

}  // namespace headrace::io
