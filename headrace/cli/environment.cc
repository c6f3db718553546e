#include "headrace/cli/environment.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace headrace::cli {
namespace {

namespace fs = std::filesystem;

// Installed beside the program, or in the tree that it was built in.
std::vector<std::string> FoldersBesideProgram() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path root = program.parent_path().parent_path();
  std::vector<std::string> folders = {root / "lib/headrace", root / ".deps/pjrt"};
  if (folders.back() != HEADRACE_BUILD_PLUGINS) folders.emplace_back(HEADRACE_BUILD_PLUGINS);
  return folders;
}

}  // namespace

Environment ReadEnvironment() {
  setenv("TF_CPP_MIN_LOG_LEVEL", "2", /*overwrite=*/0);
  Environment environment;
  if (const char* path = std::getenv("HEADRACE_PLUGIN_PATH")) {
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      if (!folder.empty()) environment.plugin_folders.push_back(folder);
    }
  }
  for (std::string& folder : FoldersBesideProgram()) environment.plugin_folders.push_back(std::move(folder));
  return environment;
}

}  // namespace headrace::cli
