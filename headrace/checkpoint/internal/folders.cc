#include "headrace/checkpoint/internal/folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

namespace headrace::checkpoint {
namespace {

constexpr std::string_view kStep = "step-";

std::optional<int64_t> ParseNumber(std::string_view digits) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string FolderName(int64_t step, int64_t attempt) {
  return attempt == 1 ? fmt::format("{}{:06}", kStep, step) : fmt::format("{}{:06}-{}", kStep, step, attempt);
}

std::optional<StepAttempt> ParseFolderName(std::string_view name) {
  if (!name.starts_with(kStep)) return std::nullopt;
  std::string_view numbers = name.substr(kStep.size());
  size_t dash = numbers.find('-');
  std::optional<int64_t> step = ParseNumber(numbers.substr(0, dash));
  std::optional<int64_t> attempt = dash == std::string_view::npos ? 1 : ParseNumber(numbers.substr(dash + 1));
  if (!step || !attempt || FolderName(*step, *attempt) != name) return std::nullopt;
  return StepAttempt{.step = *step, .attempt = *attempt};
}

Result<std::vector<Folder>> ListFolders(io::Store& store, std::string_view prefix,
                                        std::optional<int64_t> step) {
  std::string begin = fmt::format("{}/{}", prefix, step ? FolderName(*step, 1) : std::string(kStep));
  HR_TRY(std::vector<io::Entry> entries, store.List(begin));
  std::map<std::string, Folder, std::less<>> folders;
  for (const io::Entry& entry : entries) {
    std::string_view key = std::string_view(entry.key).substr(prefix.size() + 1);
    size_t slash = key.find('/');
    if (slash == std::string_view::npos) continue;
    std::string_view name = key.substr(0, slash);
    std::optional<StepAttempt> parsed = ParseFolderName(name);
    if (!parsed || (step && parsed->step != *step)) continue;
    Folder& folder = folders[std::string(name)];
    folder.name = name;
    folder.step = parsed->step;
    folder.attempt = parsed->attempt;
    folder.files.emplace(key.substr(slash + 1), entry.size);
  }
  std::vector<Folder> sorted;
  for (auto& [name, folder] : folders) sorted.push_back(std::move(folder));
  std::ranges::sort(sorted, {}, [](const Folder& folder) { return std::tuple(folder.step, folder.attempt); });
  return sorted;
}

Result<Folder> ListFolder(io::Store& store, std::string_view prefix, std::string_view name) {
  std::optional<StepAttempt> parsed = ParseFolderName(name);
  HR_CHECK(parsed.has_value());
  HR_TRY(std::vector<Folder> folders, ListFolders(store, prefix, parsed->step));
  auto found = std::ranges::find(folders, name, &Folder::name);
  if (found != folders.end()) return std::move(*found);
  return Folder{.name = std::string(name), .step = parsed->step, .attempt = parsed->attempt};
}

}  // namespace headrace::checkpoint
