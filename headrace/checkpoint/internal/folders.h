// Folders: the folders of checkpoints under a prefix of a store, committed or not.
//
// A step's folder is step-000600. If somebody who may still be alive left that one uncommitted, the next
// attempt takes step-000600-2, and so on: no two writers ever write in one folder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/io/store.h"

namespace headrace::checkpoint {

inline constexpr std::string_view kManifestFile = "manifest.json";

struct Folder {
  std::string name;  // "step-000600"
  int64_t step = 0;
  int64_t attempt = 1;
  std::map<std::string, int64_t, std::less<>> files;  // name in the folder → size

  bool HasManifest() const { return files.contains(kManifestFile); }
};

std::string FolderName(int64_t step, int64_t attempt);

struct StepAttempt {
  int64_t step = 0;
  int64_t attempt = 1;
};
// Reads FolderName back; nothing for any other name.
std::optional<StepAttempt> ParseFolderName(std::string_view name);

// By step, then by attempt. Other keys under `prefix` are not ours and are left out. With a step only the
// folders of that one.
Result<std::vector<Folder>> ListFolders(io::Store& store, std::string_view prefix,
                                        std::optional<int64_t> step = std::nullopt);

// The folder of that name as it is now; without files if it is gone.
Result<Folder> ListFolder(io::Store& store, std::string_view prefix, std::string_view name);

}  // namespace headrace::checkpoint
