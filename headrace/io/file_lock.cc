#include "headrace/io/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "headrace/io/internal/file_error.h"
#include "headrace/io/internal/folders.h"

namespace headrace::io {
namespace {

constexpr std::string_view kHolderPrefix = "process ";

// What the file of a lock says: of its holder, or of one that was killed a moment before.
std::string ThisProcess() {
  std::array<char, HOST_NAME_MAX + 1> host = {};
  gethostname(host.data(), host.size() - 1);
  return fmt::format("{}{} on {}\n", kHolderPrefix, getpid(), host.data());
}

std::string ReadHolder(int fd) {
  std::array<char, 256> text;
  const ssize_t size = pread(fd, text.data(), text.size(), 0);
  const std::string_view read(text.data(), size < 0 ? 0 : static_cast<size_t>(size));
  const std::string_view line = read.substr(0, read.find('\n'));
  return line.starts_with(kHolderPrefix) ? std::string(line) : "another process";
}

bool HasNoLocks(int error) { return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP; }

}  // namespace

Result<std::unique_ptr<FileLock>> FileLock::Take(std::string path, FileSystem& files) {
  std::unique_ptr<FileLock> lock(new FileLock(std::move(path), files));
  // Again where a holder removed the file, or its folder, at this moment.
  constexpr int kTries = 16;
  for (int i = 0; i < kTries; ++i) {
    Status opened = lock->Open();
    if (opened.code() == Code::kNotFound && i + 1 < kTries) continue;
    HR_TRY(std::move(opened));
    if (lock->fd_ < 0) continue;
    HR_TRY(const bool held, lock->TryLock());
    if (held) return lock;
  }
  return Error(Code::kAborted, "locking {}: it keeps vanishing; does another program clean its folder?",
               lock->path_);
}

FileLock::~FileLock() {
  if (held_) files_.Unlink(path_);  // while it is held, so that nobody's but ours is removed
  Close();
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) files_.Rmdir(*folder);
}

// Leaves fd_ < 0 if the folder was pruned at this moment.
Status FileLock::Open() {
  HR_TRY(MakeFolder());
  fd_ = files_.Open(path_, O_RDWR | O_CREAT);  // NFS locks no file that is open for reading
  if (fd_ < 0 && fd_ != -ENOENT) return FileError(-fd_, "locking", path_);
  return Ok();
}

Status FileLock::MakeFolder() {
  const size_t before = made_.size();
  HR_TRY(MakeFolders(files_, ParentFolder(path_), made_));
  // What is written there later is not to be lost with the names that lead to it.
  for (size_t i = before; i < made_.size(); ++i) HR_TRY(SyncFolder(files_, ParentFolder(made_[i])));
  return Ok();
}

// False if what was opened is not what lies under the path any more.
Result<bool> FileLock::TryLock() {
  const int error = -files_.TryLock(fd_);
  held_ = error == 0 && IsStillThere();
  if (held_) {
    WriteHolder();
    return true;
  }
  Status failed;
  if (error == EWOULDBLOCK) {
    failed = Error(Code::kUnavailable, "{} holds {}", ReadHolder(fd_), path_);
  } else if (HasNoLocks(error)) {
    files_.Unlink(path_);
    failed = Error(Code::kUnimplemented, "locking {}: the file system has no locks ({})", path_,
                   std::generic_category().message(error));
  } else if (error != 0 && error != ESTALE) {
    failed = FileError(error, "locking", path_);
  }
  Close();
  HR_TRY(std::move(failed));
  return false;
}

bool FileLock::IsStillThere() const {
  struct stat ours, there;
  return fstat(fd_, &ours) == 0 && stat(path_.c_str(), &there) == 0 && ours.st_dev == there.st_dev &&
         ours.st_ino == there.st_ino;
}

// For people only: on a full disk the file stays empty, and the lock counts all the same.
void FileLock::WriteHolder() {
  if (files_.Truncate(fd_, 0) == 0) (void)files_.Write(fd_, AsBytes(ThisProcess()));
}

void FileLock::Close() {
  if (fd_ >= 0) files_.Close(fd_);
  fd_ = -1;
}

}  // namespace headrace::io
