// Folders: makes, syncs, sweeps and prunes the folders that a FileStore writes into.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/io/file_system.h"

namespace headrace::io {

// The folder that `path` lies in; "." for a bare name.
std::string ParentFolder(const std::string& path);

// Makes `folder` and what is missing above it. Adds to `made` what it made, outermost first.
Status MakeFolders(FileSystem& files, const std::string& folder, std::vector<std::string>& made);

// Makes the names in `folder` survive a power cut.
Status SyncFolder(FileSystem& files, const std::string& folder);

// Safe to use from any thread.
class Folders {
 public:
  // Nothing above `root` is ever removed, nor the root itself.
  Folders(std::string root, FileSystem& files) : root_(std::move(root)), files_(files) {}

  // Makes `folder`, at or below the root, durably, and removes what dead writers left in it. Does this once
  // for each folder, until it is forgotten.
  Status Prepare(const std::string& folder);
  void Forget(const std::string& folder);

  // Removes `folder` and the ones above it that are empty by that.
  void Prune(std::string folder);

 private:
  void RemoveLeftovers(const std::string& folder);

  const std::string root_;
  FileSystem& files_;
  std::mutex mutex_;
  std::set<std::string> prepared_;
};

}  // namespace headrace::io
