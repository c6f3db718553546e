#include "headrace/core/internal/limit.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace headrace::config::internal {
namespace {

std::string Bounds(const Limit& limit) {
  if (limit.min && limit.max) return fmt::format("between {} and {}", *limit.min, *limit.max);
  if (limit.min) return fmt::format("{} {}", limit.above_min ? "greater than" : "at least", *limit.min);
  return fmt::format("at most {}", *limit.max);
}

template <class Number>
  requires std::is_arithmetic_v<Number>
Status Check(Number value, const Limit& limit) {
  const auto number = static_cast<double>(value);
  const bool low = limit.min && (limit.above_min ? !(number > *limit.min) : !(number >= *limit.min));
  const bool high = limit.max && !(number <= *limit.max);
  return low || high ? InvalidArgument("must be {}, got {}", Bounds(limit), value) : Ok();
}

Status Check(const std::string& value, const Limit& limit) {
  if (limit.required && value.empty()) return InvalidArgument("must not be empty");
  if (limit.allowed.empty() || std::ranges::find(limit.allowed, value) != limit.allowed.end()) return Ok();
  const std::optional<std::string> nearest = Nearest(value, limit.allowed);
  return InvalidArgument("must be one of {}; got \"{}\"{}", fmt::join(limit.allowed, ", "), value,
                         nearest ? fmt::format(", did you mean {}?", *nearest) : "");
}

template <class T>
Status Check(const std::optional<T>& value, const Limit& limit) {
  return value ? Check(*value, limit) : Ok();
}

template <class T>
Status Check(const std::vector<T>& values, const Limit& limit) {
  if (limit.required && values.empty()) return InvalidArgument("must not be empty");
  for (size_t i = 0; i < values.size(); ++i) HR_TRY(Check(values[i], limit).Context("element {}", i));
  return Ok();
}

template <class T>
Status Check(const std::map<std::string, T>& values, const Limit& limit) {
  if (limit.required && values.empty()) return InvalidArgument("must not be empty");
  for (const auto& [key, value] : values) HR_TRY(Check(value, limit).Context("\"{}\"", key));
  return Ok();
}

}  // namespace

Status CheckLimit(LeafRef value, const Limit& limit) {
  return std::visit([&](auto* leaf) { return Check(*leaf, limit); }, value);
}

}  // namespace headrace::config::internal
