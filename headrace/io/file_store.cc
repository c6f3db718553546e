#include "headrace/io/file_store.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "headrace/io/internal/atomic_file.h"
#include "headrace/io/internal/file_error.h"
#include "headrace/io/internal/folders.h"
#include "headrace/io/internal/key.h"
#include "headrace/io/internal/read_file.h"

namespace headrace::io {
namespace {

namespace fs = std::filesystem;

// Without the slashes at its end, so that paths below it are put together in one way.
std::string Trimmed(std::string root) {
  HR_CHECK(!root.empty());
  while (root.size() > 1 && root.ends_with('/')) root.pop_back();
  return root;
}

// Collects the files below a folder whose keys start with a prefix.
class Lister {
 public:
  explicit Lister(std::string_view prefix) : prefix_(prefix) {}

  // `key` is the key of `folder`, with a '/' at its end unless it is the root.
  Status Walk(const std::string& folder, const std::string& key) {
    std::error_code error;
    fs::directory_iterator each(folder, error);
    for (; !error && each != fs::directory_iterator(); each.increment(error)) {
      HR_TRY(Visit(each->path().native(), key + each->path().filename().native()));
    }
    // A folder that is not there, or that vanishes meanwhile, holds nothing.
    if (!error || error.value() == ENOENT || error.value() == ENOTDIR) return Ok();
    return FileError(error.value(), "listing", folder);
  }

  std::vector<Entry> Sorted() && {
    std::ranges::sort(entries_, {}, &Entry::key);
    return std::move(entries_);
  }

 private:
  Status Visit(const std::string& path, const std::string& key) {
    const bool matches = key.starts_with(prefix_);
    if (!matches && !prefix_.starts_with(key + '/')) return Ok();
    if (key.substr(key.rfind('/') + 1).starts_with(kTemporaryPrefix)) return Ok();
    struct stat info;
    if (stat(path.c_str(), &info) != 0) return Ok();  // vanished, or a link that leads nowhere
    if (S_ISREG(info.st_mode) && matches) entries_.push_back({key, info.st_size});
    if (S_ISDIR(info.st_mode)) return WalkOnce(path, key + '/', {info.st_dev, info.st_ino});
    return Ok();
  }

  // Links to folders are followed, but not in circles.
  Status WalkOnce(const std::string& folder, const std::string& key, std::pair<dev_t, ino_t> identity) {
    if (std::ranges::find(above_, identity) != above_.end()) return Ok();
    above_.push_back(identity);
    Status status = Walk(folder, key);
    above_.pop_back();
    return status;
  }

  const std::string_view prefix_;
  std::vector<std::pair<dev_t, ino_t>> above_;
  std::vector<Entry> entries_;
};

}  // namespace

FileStore::FileStore(std::string root, FileSystem& files)
    : root_(Trimmed(std::move(root))), files_(files), folders_(std::make_shared<Folders>(root_, files)) {}

std::string FileStore::Name() const { return root_; }

std::string FileStore::PathOf(std::string_view key) const {
  return fmt::format("{}{}{}", root_, root_.ends_with('/') ? "" : "/", key);
}

Result<Blob> FileStore::Read(std::string_view key) {
  HR_TRY(CheckKey(key));
  return ReadLocalFile(PathOf(key));
}

Result<Blob> FileStore::ReadRange(std::string_view key, int64_t offset, int64_t size) {
  HR_TRY(CheckKey(key));
  return ReadLocalFileRange(PathOf(key), offset, size);
}

Status FileStore::Write(std::string_view key, Bytes bytes, WriteIf condition) {
  HR_TRY(std::unique_ptr<Writer> writer, Create(key, condition));
  HR_TRY(writer->Append(bytes));
  return writer->Commit();
}

Result<std::unique_ptr<Writer>> FileStore::Create(std::string_view key, WriteIf condition) {
  HR_TRY(CheckKey(key));
  return AtomicFile::Create(PathOf(key), condition, files_, folders_);
}

Result<int64_t> FileStore::Size(std::string_view key) {
  HR_TRY(CheckKey(key));
  return LocalFileSize(PathOf(key));
}

Result<std::vector<Entry>> FileStore::List(std::string_view prefix) {
  HR_TRY(CheckPrefix(prefix));
  Lister lister(prefix);
  HR_TRY(lister.Walk(root_, ""));
  return std::move(lister).Sorted();
}

Status FileStore::Delete(std::string_view key) {
  HR_TRY(CheckKey(key));
  const std::string path = PathOf(key);
  const int result = files_.Unlink(path);
  if (result == -ENOENT || result == -ENOTDIR) return Ok();
  if (result != 0) return FileError(-result, "deleting", path);
  Status synced = SyncFolder(files_, ParentFolder(path));
  if (synced.code() == Code::kNotFound) return Ok();  // pruned by another deleter meanwhile
  HR_TRY(std::move(synced).Context("deleting {}", path));
  folders_->Prune(ParentFolder(path));
  return Ok();
}

std::optional<std::string> FileStore::LocalPath(std::string_view key) const { return PathOf(key); }

Result<std::unique_ptr<Store>> OpenFileStore(std::string_view url) {
  constexpr std::string_view kScheme = "file://";
  std::string_view path = url;
  if (path.starts_with(kScheme)) {
    path.remove_prefix(kScheme.size());
    if (!path.starts_with('/')) {
      return InvalidArgument("'{}' names no absolute path; write file:///PATH, or the path alone", url);
    }
  }
  return std::unique_ptr<Store>(std::make_unique<FileStore>(std::string(path)));
}

}  // namespace headrace::io
