#include "headrace/io/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "headrace/io/internal/file_error.h"
#include "headrace/io/internal/folders.h"
#include "headrace/io/internal/read_file.h"
#include "headrace/io/record.h"

namespace headrace::io {

Result<int64_t> WholeLines(Bytes log) { return static_cast<int64_t>(AsText(log).rfind('\n') + 1); }

Result<int64_t> WholeRecords(Bytes log) {
  RecordReader reader(log, "log");
  while (true) {
    const Result<std::optional<Bytes>> record = reader.Next();
    if (!record.ok() || !record->has_value()) return reader.offset();
  }
}

Result<int64_t> KeepNothing(Bytes) { return int64_t{0}; }

LogFile::LogFile(std::string path, FileSystem& files, int fd)
    : path_(std::move(path)), files_(files), fd_(fd) {}

LogFile::~LogFile() { files_.Close(fd_); }

Result<std::unique_ptr<LogFile>> LogFile::Open(std::string path, const KeepLength& keep, FileSystem& files) {
  std::vector<std::string> folders;
  HR_TRY(MakeFolders(files, ParentFolder(path), folders).Context("opening the log {}", path));
  const int fd = files.Open(path, O_WRONLY | O_CREAT | O_APPEND);
  if (fd < 0) return FileError(-fd, "opening the log", path);
  std::unique_ptr<LogFile> log(new LogFile(std::move(path), files, fd));
  HR_TRY(log->CutTo(keep));
  // So that what is flushed is not lost with the names that lead to it.
  if (log->regular_) folders.push_back(log->path_);
  for (const std::string& each : folders) HR_TRY(SyncFolder(files, ParentFolder(each)));
  return log;
}

Status LogFile::CutTo(const KeepLength& keep) {
  struct stat info;
  if (fstat(fd_, &info) != 0) return FileError(errno, "opening the log", path_);
  regular_ = S_ISREG(info.st_mode);
  if (!regular_ || info.st_size == 0) return Ok();
  HR_TRY(const Blob present, ReadLocalFile(path_));
  HR_TRY(size_, keep(present.bytes).Context("opening the log {}", path_));
  HR_CHECK(size_ >= 0 && size_ <= static_cast<int64_t>(present.bytes.size()));
  torn_ = size_ < static_cast<int64_t>(present.bytes.size());
  return Repair();
}

Status LogFile::Append(Bytes bytes) {
  std::lock_guard lock(mutex_);
  HR_TRY(Repair());
  for (Bytes rest = bytes; !rest.empty();) {
    const int64_t count = files_.Write(fd_, rest);
    if (count < 0) {
      torn_ = regular_;
      Status error = FileError(static_cast<int>(-count), "appending to", path_);
      (void)Repair();  // if it fails now, the next Append says so
      return error;
    }
    rest = rest.subspan(static_cast<size_t>(count));
  }
  size_ += static_cast<int64_t>(bytes.size());
  return Ok();
}

Status LogFile::Repair() {
  if (!torn_) return Ok();
  if (const int result = files_.Truncate(fd_, size_); result != 0) {
    return FileError(-result, "cutting off a torn end of", path_);
  }
  torn_ = false;
  return Ok();
}

Status LogFile::Flush() {
  const int result = files_.Fsync(fd_);
  // A pipe or a terminal has nothing to sync, and says so.
  if (result == 0 || (!regular_ && result == -EINVAL)) return Ok();
  return FileError(-result, "syncing", path_);
}

int64_t LogFile::size() const {
  std::lock_guard lock(mutex_);
  return size_;
}

}  // namespace headrace::io
