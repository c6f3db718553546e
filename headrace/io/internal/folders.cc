#include "headrace/io/internal/folders.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <vector>

#include "headrace/io/internal/file_error.h"
#include "headrace/io/internal/key.h"

namespace headrace::io {

std::string ParentFolder(const std::string& path) {
  const size_t end = path.find_last_not_of('/');
  if (end == std::string::npos) return "/";
  const size_t slash = path.find_last_of('/', end);
  if (slash == std::string::npos) return ".";
  const size_t last = path.find_last_not_of('/', slash);
  return last == std::string::npos ? "/" : path.substr(0, last + 1);
}

Status MakeFolders(FileSystem& files, const std::string& folder, std::vector<std::string>& made) {
  int result = files.Mkdir(folder);
  if (result == -ENOENT && ParentFolder(folder) != folder) {
    HR_TRY(MakeFolders(files, ParentFolder(folder), made));
    result = files.Mkdir(folder);
  }
  if (result == 0) {
    made.push_back(folder);
    return Ok();
  }
  struct stat info;
  if (stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return Ok();
  if (result == -EEXIST) {  // a file, a link that leads nowhere, or a folder that was pruned at this moment
    result = lstat(folder.c_str(), &info) == 0 && !S_ISDIR(info.st_mode) ? -ENOTDIR : -ENOENT;
  }
  return FileError(-result, "making the folder", folder);
}

Status SyncFolder(FileSystem& files, const std::string& folder) {
  const int fd = files.Open(folder, O_RDONLY | O_DIRECTORY);
  if (fd < 0) return FileError(-fd, "syncing the folder", folder);
  const int result = files.Fsync(fd);
  files.Close(fd);
  // Some network file systems have no such thing as syncing a folder, and say so.
  if (result == 0 || result == -EINVAL || result == -ENOTSUP) return Ok();
  return FileError(-result, "syncing the folder", folder);
}

Status Folders::Prepare(const std::string& folder) {
  {
    std::lock_guard lock(mutex_);
    if (prepared_.contains(folder)) return Ok();
  }
  std::vector<std::string> made;
  HR_TRY(MakeFolders(files_, folder, made));
  for (const std::string& each : made) {
    if (each.size() <= root_.size()) HR_TRY(SyncFolder(files_, ParentFolder(each)));
  }
  // Below the root also those that exist: another writer may have made them and not have synced them yet.
  for (std::string each = folder; each.size() > root_.size(); each = ParentFolder(each)) {
    HR_TRY(SyncFolder(files_, ParentFolder(each)));
  }
  RemoveLeftovers(folder);
  std::lock_guard lock(mutex_);
  prepared_.insert(folder);
  return Ok();
}

void Folders::Forget(const std::string& folder) {
  std::lock_guard lock(mutex_);
  prepared_.erase(folder);
}

void Folders::Prune(std::string folder) {
  for (; folder.size() > root_.size(); folder = ParentFolder(folder)) {
    RemoveLeftovers(folder);
    if (files_.Rmdir(folder) != 0) return;
    Forget(folder);
  }
}

// Best effort: what cannot be removed is as invisible as before.
void Folders::RemoveLeftovers(const std::string& folder) {
  std::error_code error;
  std::filesystem::directory_iterator each(folder, error);
  for (; !error && each != std::filesystem::directory_iterator(); each.increment(error)) {
    if (!each->path().filename().native().starts_with(kTemporaryPrefix)) continue;
    const std::string path = each->path().native();
    const int fd = files_.Open(path, O_WRONLY);  // NFS locks no file that is open for reading
    if (fd < 0) continue;
    if (files_.TryLock(fd) == 0) files_.Unlink(path);  // nobody who lives holds it
    files_.Close(fd);
  }
}

}  // namespace headrace::io
