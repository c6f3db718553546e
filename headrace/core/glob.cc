#include "headrace/core/glob.h"

#include <algorithm>
#include <vector>

namespace headrace::glob {
namespace {

// How many characters of `pattern` must be inserted, removed or replaced for it to match `name`.
size_t Distance(std::string_view pattern, std::string_view name) {
  std::vector<size_t> last, row(name.size() + 1);
  for (size_t j = 0; j <= name.size(); ++j) row[j] = j;
  for (const char c : pattern) {
    last = row;
    row[0] = last[0] + (c != '*');
    for (size_t j = 1; j <= name.size(); ++j) {
      if (c == '*') {
        row[j] = std::min(last[j], row[j - 1]);
      } else {
        const bool equal = c == '?' || c == name[j - 1];
        row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + !equal});
      }
    }
  }
  return row.back();
}

}  // namespace

bool Matches(std::string_view pattern, std::string_view name) {
  // Where the last star is, and where in the name what follows it is tried.
  size_t star = std::string_view::npos, tried = 0;
  size_t p = 0, n = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      tried = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++tried;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool MatchesAny(std::span<const std::string> patterns, std::string_view name) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) { return Matches(pattern, name); });
}

Status CheckAll(std::string_view key, std::span<const std::string> patterns,
                std::span<const std::string> names) {
  for (const std::string& pattern : patterns) {
    if (std::ranges::any_of(names, [&](const std::string& name) { return Matches(pattern, name); })) continue;
    if (names.empty())
      return InvalidArgument("{}: \"{}\" matches nothing: there are no parameters", key, pattern);
    const std::string& closest = *std::ranges::min_element(
        names, {}, [&](const std::string& name) { return Distance(pattern, name); });
    return InvalidArgument("{}: \"{}\" matches no parameter; the closest is {}", key, pattern, closest);
  }
  return Ok();
}

}  // namespace headrace::glob
