#include "headrace/data/matching_files.h"

#include <fmt/ranges.h>

#include "headrace/core/glob.h"
#include "headrace/io/store.h"

namespace headrace::data {
namespace {

constexpr size_t kNamed = 5;  // how many files a message names

bool IsPattern(std::string_view path) { return path.find_first_of("*?") != std::string_view::npos; }

// Names of the files right below a folder, sorted.
Result<std::vector<std::string>> FilesOf(io::Store& store) {
  HR_TRY(const std::vector<io::Entry> entries, store.List(""));
  std::vector<std::string> names;
  for (const io::Entry& entry : entries) {
    if (!entry.key.contains('/')) names.push_back(entry.key);
  }
  return names;
}

std::string WhatIsThere(std::vector<std::string> names) {
  if (names.empty()) return "which holds no files";
  const size_t count = names.size();
  if (count > kNamed) names.resize(kNamed);
  return fmt::format("which holds {}{}", fmt::join(names, ", "), count > kNamed ? ", ..." : "");
}

Result<std::vector<MatchingFile>> ReadFolder(const std::string& folder, const std::string& pattern) {
  HR_TRY(const std::unique_ptr<io::Store> store, io::OpenStore(folder));
  HR_TRY(std::vector<std::string> names, FilesOf(*store));
  std::vector<MatchingFile> files;
  for (const std::string& name : names) {
    if (!glob::Matches(pattern, name)) continue;
    HR_TRY(io::Blob blob, store->Read(name));
    files.push_back({fmt::format("{}/{}", store->Name(), name), std::move(blob)});
  }
  if (files.empty()) {
    return Error(Code::kNotFound, "no file matches {} in {}, {}", pattern, store->Name(),
                 WhatIsThere(std::move(names)));
  }
  return files;
}

bool IsFolder(const std::string& path) {
  const auto store = io::OpenStore(path);
  if (!store.ok()) return false;
  const auto entries = (*store)->List("");
  return entries.ok() && !entries->empty();
}

}  // namespace

Result<std::vector<MatchingFile>> ReadMatchingFiles(const std::string& path) {
  if (IsPattern(path)) {
    const size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
    if (IsPattern(folder)) {
      return InvalidArgument("{}: only the last part of a path may be a pattern, not its folders", path);
    }
    return ReadFolder(folder.empty() ? "/" : folder, path.substr(slash + 1));
  }
  if (IsFolder(path)) return ReadFolder(path, "*");
  HR_TRY(io::Blob blob, io::ReadFile(path));
  return std::vector{MatchingFile{path, std::move(blob)}};
}

}  // namespace headrace::data
