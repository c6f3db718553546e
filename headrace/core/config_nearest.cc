#include <algorithm>
#include <cctype>

#include "headrace/core/config.h"

namespace headrace::config {
namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

// Damerau-Levenshtein distance in which a transposed pair is not edited again (optimal string alignment).
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> two_back, last, row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    two_back = std::exchange(last, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = last[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substituted});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_back[j - 2] + 1);
    }
  }
  return row[b.size()];
}

// "lr" of "learning_rate"; nothing of one word.
std::string Initials(std::string_view name) {
  if (!name.contains('_')) return "";
  std::string initials;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '_' && (i == 0 || name[i - 1] == '_')) initials += name[i];
  }
  return initials;
}

}  // namespace

std::optional<std::string> Nearest(std::string_view name, std::span<const std::string> known) {
  constexpr size_t kLongest = 64;  // no key is longer, and the work grows with the product of the lengths
  if (name.empty() || name.size() > kLongest) return std::nullopt;
  const std::string wanted = Lower(name);
  for (const std::string& candidate : known) {
    if (Initials(Lower(candidate)) == wanted) return candidate;
  }
  size_t best = std::max<size_t>(1, name.size() / 3) + 1;
  const std::string* nearest = nullptr;
  for (const std::string& candidate : known) {
    const size_t distance = Distance(wanted, Lower(candidate));
    if (distance < std::min(best, std::max(name.size(), candidate.size()))) {
      best = distance;
      nearest = &candidate;
    }
  }
  return nearest ? std::optional(*nearest) : std::nullopt;
}

}  // namespace headrace::config
