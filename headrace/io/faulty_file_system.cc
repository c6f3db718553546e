#include "headrace/io/faulty_file_system.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "headrace/core/check.h"
#include "headrace/io/internal/folders.h"

namespace headrace::io {

namespace fs = std::filesystem;

FaultyFileSystem::FaultyFileSystem(std::string backup) : backup_(std::move(backup)) {
  fs::create_directories(backup_);
}

FaultyFileSystem::~FaultyFileSystem() {
  for (const auto& [fd, path] : open_) real_.Close(fd);
}

void FaultyFileSystem::FailAt(int call, int error) {
  fault_call_ = call;
  fault_error_ = error;
  fault_stays_ = false;
}

void FaultyFileSystem::FailFrom(int call, int error) {
  FailAt(call, error);
  fault_stays_ = true;
}

int FaultyFileSystem::Enter(std::string name) {
  const int call = calls();
  log_.push_back(std::move(name));
  const bool fails = call == fault_call_ || (fault_stays_ && happened_);
  happened_ = happened_ || fails;
  return fails ? fault_error_ : 0;
}

std::function<void()> FaultyFileSystem::Keep(const std::string& path) {
  const std::string kept = backup_ + "/" + std::to_string(backups_++);
  if (link(path.c_str(), kept.c_str()) != 0) return [] {};
  return [kept, path] { fs::rename(kept, path); };
}

void FaultyFileSystem::Changed(const std::string& path, std::function<void()> undo) {
  changes_.push_back({ParentFolder(path), std::move(undo)});
}

void FaultyFileSystem::CutPower(Names names) {
  for (const auto& [path, size] : unsynced_) {
    std::error_code gone;
    fs::resize_file(path, static_cast<uintmax_t>(size), gone);
  }
  if (names == Names::kKept) return;
  while (!changes_.empty()) {
    changes_.back().undo();
    changes_.pop_back();
  }
}

int FaultyFileSystem::Open(const std::string& path, int flags) {
  if (const int error = Enter("open")) return -error;
  const bool existed = fs::exists(path);
  const int fd = real_.Open(path, flags);
  if (fd < 0) return fd;
  open_[fd] = path;
  if (!existed) {
    Changed(path, [path] { fs::remove(path); });
    unsynced_[path] = 0;
  }
  return fd;
}

int64_t FaultyFileSystem::Write(int fd, Bytes bytes) {
  const std::string& path = open_.at(fd);
  if (!unsynced_.contains(path)) unsynced_[path] = static_cast<int64_t>(fs::file_size(path));
  if (const int error = Enter("write")) {
    if (!bytes.empty()) (void)real_.Write(fd, bytes.first(bytes.size() / 2));
    return -error;
  }
  return real_.Write(fd, bytes);
}

int FaultyFileSystem::Truncate(int fd, int64_t size) {
  if (const int error = Enter("truncate")) return -error;
  return real_.Truncate(fd, size);
}

int FaultyFileSystem::Fsync(int fd) {
  if (const int error = Enter("fsync")) return -error;
  const std::string& path = open_.at(fd);
  unsynced_.erase(path);
  std::erase_if(changes_, [&path](const Change& change) { return change.folder == path; });
  return 0;  // the model above is all that a test needs, and much faster than the disk
}

int FaultyFileSystem::Close(int fd) {
  const int error = Enter("close");
  const int result = real_.Close(fd);  // whatever is said of it, the descriptor is gone
  open_.erase(fd);
  return error != 0 ? -error : result;
}

int FaultyFileSystem::Mkdir(const std::string& path) {
  if (const int error = Enter("mkdir")) return -error;
  const int result = real_.Mkdir(path);
  if (result == 0) Changed(path, [path] { fs::remove_all(path); });
  return result;
}

int FaultyFileSystem::Rmdir(const std::string& path) {
  if (const int error = Enter("rmdir")) return -error;
  const int result = real_.Rmdir(path);
  if (result == 0) Changed(path, [path] { fs::create_directory(path); });
  return result;
}

int FaultyFileSystem::Unlink(const std::string& path) {
  if (const int error = Enter("unlink")) return -error;
  std::function<void()> undo = Keep(path);
  const int result = real_.Unlink(path);
  if (result == 0) Changed(path, std::move(undo));
  return result;
}

int FaultyFileSystem::Rename(const std::string& from, const std::string& to) {
  return Move(from, to, &FileSystem::Rename);
}

int FaultyFileSystem::RenameNoReplace(const std::string& from, const std::string& to) {
  return Move(from, to, &FileSystem::RenameNoReplace);
}

int FaultyFileSystem::TryLock(int fd) { return lock_error_ != 0 ? -lock_error_ : real_.TryLock(fd); }

int FaultyFileSystem::Move(const std::string& from, const std::string& to,
                           int (FileSystem::*move)(const std::string&, const std::string&)) {
  HR_CHECK(ParentFolder(from) == ParentFolder(to));  // a folder's sync makes both names safe
  if (const int error = Enter("rename")) return -error;
  std::function<void()> restore = Keep(to);
  const int result = (real_.*move)(from, to);
  if (result != 0) return result;
  Changed(to, [from, to, restore] {
    fs::rename(to, from);
    restore();
  });
  unsynced_.erase(to);
  if (const auto moved = unsynced_.extract(from)) unsynced_[to] = moved.mapped();
  return 0;
}

}  // namespace headrace::io
