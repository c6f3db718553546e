// FileStore: a Store in a folder of the local (or a mounted network) file system.
//
// A value is written to a hidden temporary file in its folder, fsynced, renamed over its key, and the folder
// is fsynced, so that a kill or a power cut leaves the old value or the new one. Temporary files that a dead
// writer left behind are invisible to List, and the next one who writes into that folder, or deletes from it,
// removes them; those of living writers (they hold a lock) are left alone. Folders appear with their first
// key and go with their last. Large values are mapped, not read: replacing or deleting a key leaves such a
// mapping valid, truncating the file in place by other means does not.
#pragma once

#include "headrace/io/file_system.h"
#include "headrace/io/store.h"

namespace headrace::io {

class Folders;

class FileStore final : public Store {
 public:
  // `root` is not empty; `files` outlives the store and its writers. A link in place of a file is replaced,
  // not followed, by a write; links to folders are followed.
  explicit FileStore(std::string root, FileSystem& files = RealFileSystem());

  std::string Name() const override;
  Result<Blob> Read(std::string_view key) override;
  Result<Blob> ReadRange(std::string_view key, int64_t offset, int64_t size) override;
  Status Write(std::string_view key, Bytes bytes, WriteIf condition = WriteIf::kAlways) override;
  Result<std::unique_ptr<Writer>> Create(std::string_view key, WriteIf condition = WriteIf::kAlways) override;
  Result<int64_t> Size(std::string_view key) override;
  Result<std::vector<Entry>> List(std::string_view prefix) override;
  Status Delete(std::string_view key) override;
  std::optional<std::string> LocalPath(std::string_view key) const override;

 private:
  std::string PathOf(std::string_view key) const;

  std::string root_;
  FileSystem& files_;
  std::shared_ptr<Folders> folders_;
};

// A path, or file:// before one.
Result<std::unique_ptr<Store>> OpenFileStore(std::string_view url);

}  // namespace headrace::io
