// AtomicFile: a file that appears under its path whole, or not at all.
#pragma once

#include <memory>
#include <string>

#include "headrace/io/file_system.h"
#include "headrace/io/internal/folders.h"
#include "headrace/io/store.h"

namespace headrace::io {

class AtomicFile final : public Writer {
 public:
  // Begins a temporary file beside `path`; makes the folder where it is missing.
  static Result<std::unique_ptr<Writer>> Create(std::string path, WriteIf condition, FileSystem& files,
                                                std::shared_ptr<Folders> folders);
  // Removes the temporary file unless it was committed.
  ~AtomicFile() override;

  Status Append(Bytes bytes) override;
  Status Commit() override;

 private:
  AtomicFile(std::string path, WriteIf condition, FileSystem& files, std::shared_ptr<Folders> folders);
  Status Open();
  int OpenTemporary();
  Status Rename();
  Status Fail(int error, std::string_view doing);

  const std::string path_;
  const WriteIf condition_;
  FileSystem& files_;
  const std::shared_ptr<Folders> folders_;
  std::string temporary_;  // empty once there is none
  int fd_ = -1;
  Status error_;
};

}  // namespace headrace::io
