#include "headrace/io/internal/read_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "headrace/io/internal/aligned_memory.h"
#include "headrace/io/internal/file_error.h"
#include "headrace/io/internal/key.h"

namespace headrace::io {
namespace {

Status CheckRegular(const struct stat& info, const std::string& path) {
  if (S_ISREG(info.st_mode)) return Ok();
  if (S_ISDIR(info.st_mode)) return FileError(EISDIR, "reading", path);
  return Error(Code::kFailedPrecondition, "reading {}: it is a pipe or a device; copy it into a file first",
               path);
}

class OpenFile {
 public:
  OpenFile() = default;
  OpenFile(OpenFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)), size_(other.size_) {}
  ~OpenFile() {
    if (fd_ >= 0) close(fd_);
  }

  static Result<OpenFile> Open(const std::string& path) {
    OpenFile file;
    do {  // not blocking: opening a pipe would wait for its writer
      file.fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    } while (file.fd_ < 0 && errno == EINTR);
    if (file.fd_ < 0) return FileError(errno, "reading", path);
    struct stat info;
    if (fstat(file.fd_, &info) != 0) return FileError(errno, "reading", path);
    HR_TRY(CheckRegular(info, path));
    file.size_ = info.st_size;
    return file;
  }

  int64_t size() const { return size_; }

  // Up to `size` bytes from `offset`; how many there were, less only at the end of the file.
  Result<int64_t> Read(const std::string& path, std::byte* out, int64_t size, int64_t offset) const {
    int64_t filled = 0;
    while (filled < size) {
      const ssize_t count = pread(fd_, out + filled, static_cast<size_t>(size - filled), offset + filled);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return FileError(errno, "reading", path);
      if (count == 0) break;
      filled += count;
    }
    return filled;
  }

  Result<Blob> Map(const std::string& path, int64_t offset, int64_t size) const {
    const int64_t slack = offset % sysconf(_SC_PAGESIZE);
    const auto length = static_cast<size_t>(size + slack);
    void* memory = mmap(nullptr, length, PROT_READ, MAP_PRIVATE, fd_, offset - slack);
    if (memory == MAP_FAILED) return FileError(errno, "mapping", path);
    std::shared_ptr<const void> owner(memory, [length](void* at) { munmap(at, length); });
    return Blob{owner, {static_cast<const std::byte*>(memory) + slack, static_cast<size_t>(size)}};
  }

 private:
  int fd_ = -1;
  int64_t size_ = 0;
};

}  // namespace

Result<Blob> ReadLocalFile(const std::string& path) {
  HR_TRY(const OpenFile file, OpenFile::Open(path));
  if (file.size() >= kMapFrom) return file.Map(path, 0, file.size());
  std::shared_ptr<std::byte> memory;
  int64_t filled = 0;
  for (int64_t room = file.size() + 1;; room *= 2) {  // one more than its size, to meet the end
    std::shared_ptr<std::byte> larger = AllocateAligned(static_cast<size_t>(room));
    if (filled > 0) std::memcpy(larger.get(), memory.get(), static_cast<size_t>(filled));
    memory = std::move(larger);
    HR_TRY(const int64_t count, file.Read(path, memory.get() + filled, room - filled, filled));
    filled += count;
    if (filled < room) return Blob{memory, {memory.get(), static_cast<size_t>(filled)}};
  }
}

Result<Blob> ReadLocalFileRange(const std::string& path, int64_t offset, int64_t size) {
  HR_TRY(const OpenFile file, OpenFile::Open(path));
  HR_TRY(CheckRange(path, offset, size, file.size()));
  if (size >= kMapFrom) return file.Map(path, offset, size);
  std::shared_ptr<std::byte> memory = AllocateAligned(static_cast<size_t>(size));
  HR_TRY(const int64_t count, file.Read(path, memory.get(), size, offset));
  HR_TRY(CheckRange(path, offset, size, offset + count));  // it was cut while we read
  return Blob{memory, {memory.get(), static_cast<size_t>(size)}};
}

Result<int64_t> LocalFileSize(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return FileError(errno, "reading", path);
  HR_TRY(CheckRegular(info, path));
  return info.st_size;
}

}  // namespace headrace::io
