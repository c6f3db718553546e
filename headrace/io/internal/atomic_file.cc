#include "headrace/io/internal/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <random>

#include "headrace/io/internal/file_error.h"
#include "headrace/io/internal/key.h"

namespace headrace::io {
namespace {

std::string TemporaryName() {
  thread_local std::random_device random;
  return fmt::format("{}{:08x}{:08x}", kTemporaryPrefix, random(), random());
}

// Locks the new file, so that others see that its writer lives. False if one of them has taken it for a
// leftover already, between our making and our locking it.
bool LockNewFile(FileSystem& files, int fd) {
  const int locked = files.TryLock(fd);
  if (locked != 0) return locked != -EWOULDBLOCK;  // no locks here: none are looked for
  struct stat info;
  return fstat(fd, &info) == 0 && info.st_nlink > 0;
}

}  // namespace

AtomicFile::AtomicFile(std::string path, WriteIf condition, FileSystem& files,
                       std::shared_ptr<Folders> folders)
    : path_(std::move(path)), condition_(condition), files_(files), folders_(std::move(folders)) {}

Result<std::unique_ptr<Writer>> AtomicFile::Create(std::string path, WriteIf condition, FileSystem& files,
                                                   std::shared_ptr<Folders> folders) {
  std::unique_ptr<AtomicFile> file(new AtomicFile(std::move(path), condition, files, std::move(folders)));
  HR_TRY(file->Open());
  return std::unique_ptr<Writer>(std::move(file));
}

Status AtomicFile::Open() {
  // Tries again where somebody else pruned the folder, or swept the file, at this moment.
  const std::string folder = ParentFolder(path_);
  constexpr int kTries = 16;
  for (int i = 0; i < kTries; ++i) {
    Status prepared = folders_->Prepare(folder);
    if (prepared.code() == Code::kNotFound && i + 1 < kTries) continue;
    HR_TRY(std::move(prepared).Context("writing {}", path_));
    fd_ = OpenTemporary();
    if (fd_ >= 0) return Ok();
    if (fd_ == -ENOENT) folders_->Forget(folder);
    if (fd_ != -ENOENT && fd_ != -EEXIST && fd_ != -EAGAIN) return FileError(-fd_, "writing", path_);
  }
  return Error(Code::kAborted, "writing {}: its folder keeps vanishing; does another program clean it?",
               path_);
}

int AtomicFile::OpenTemporary() {
  const std::string name = fmt::format("{}/{}", ParentFolder(path_), TemporaryName());
  const int fd = files_.Open(name, O_WRONLY | O_CREAT | O_EXCL);
  if (fd < 0) return fd;
  if (!LockNewFile(files_, fd)) {
    files_.Close(fd);
    return -EAGAIN;
  }
  temporary_ = name;
  return fd;
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) files_.Unlink(temporary_);
  if (fd_ >= 0) files_.Close(fd_);
}

Status AtomicFile::Fail(int error, std::string_view doing) {
  error_ = FileError(error, doing, path_);
  return error_;
}

Status AtomicFile::Append(Bytes bytes) {
  HR_TRY(error_);
  while (!bytes.empty()) {
    const int64_t count = files_.Write(fd_, bytes);
    if (count < 0) return Fail(static_cast<int>(-count), "writing");
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return Ok();
}

Status AtomicFile::Commit() {
  HR_CHECK(!temporary_.empty());
  HR_TRY(error_);
  if (const int result = files_.Fsync(fd_); result != 0) return Fail(-result, "syncing");
  HR_TRY(Rename());
  temporary_.clear();
  // The lock is held up to here. What fsync accepted is safe, so closing has nothing to say.
  files_.Close(std::exchange(fd_, -1));
  return SyncFolder(files_, ParentFolder(path_))
      .Context("{} is written, but may not survive a power cut", path_);
}

Status AtomicFile::Rename() {
  const int result = condition_ == WriteIf::kAbsent ? files_.RenameNoReplace(temporary_, path_)
                                                    : files_.Rename(temporary_, path_);
  return result == 0 ? Ok() : Fail(-result, "writing");
}

}  // namespace headrace::io
