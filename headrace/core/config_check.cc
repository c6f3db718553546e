#include "headrace/core/internal/config_check.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "headrace/core/internal/leaves.h"
#include "headrace/core/internal/scalar.h"

namespace headrace::config::internal {
namespace {

std::string Bounds(const Limit& limit) {
  if (limit.min && limit.max) return fmt::format("between {} and {}", *limit.min, *limit.max);
  if (limit.min) return fmt::format("{} {}", limit.above_min ? "greater than" : "at least", *limit.min);
  return fmt::format("at most {}", *limit.max);
}

template <class Number>
  requires std::is_arithmetic_v<Number>
Status CheckLimit(Number value, const Limit& limit) {
  const auto number = static_cast<double>(value);
  const bool low = limit.min && (limit.above_min ? !(number > *limit.min) : !(number >= *limit.min));
  const bool high = limit.max && !(number <= *limit.max);
  return low || high ? InvalidArgument("must be {}, got {}", Bounds(limit), value) : Ok();
}

Status CheckLimit(const std::string& value, const Limit& limit) {
  if (limit.required && value.empty()) return InvalidArgument("must not be empty");
  if (limit.allowed.empty() || std::ranges::find(limit.allowed, value) != limit.allowed.end()) return Ok();
  const std::optional<std::string> nearest = Nearest(value, limit.allowed);
  return InvalidArgument("must be one of {}; got \"{}\"{}", fmt::join(limit.allowed, ", "), value,
                         nearest ? fmt::format(", did you mean {}?", *nearest) : "");
}

template <class T>
Status CheckLimit(const std::optional<T>& value, const Limit& limit) {
  return value ? CheckLimit(*value, limit) : Ok();
}

template <class T>
Status CheckLimit(const std::vector<T>& values, const Limit& limit) {
  if (limit.required && values.empty()) return InvalidArgument("must not be empty");
  for (size_t i = 0; i < values.size(); ++i) HR_TRY(CheckLimit(values[i], limit).Context("element {}", i));
  return Ok();
}

// Checks the fields of one struct. Stops at the first error.
class Checker : public Visitor {
 public:
  // `map` is what the struct was read from, null where defaults stand; `where` then says what is nearest.
  Checker(const YamlNode* map, Location where, std::string path)
      : map_(map), where_(std::move(where)), path_(std::move(path)) {}

  Status Check(const StructRef& value) {
    value.fields(*this);
    HR_TRY(status_);
    const Status status = value.validate();
    if (status.ok()) return Ok();
    return Locate(status);
  }

 private:
  void OnLeaf(const FieldInfo& field, LeafRef value) override {
    if (!status_.ok()) return;
    Status status = std::visit([&](auto* leaf) { return CheckLimit(*leaf, field.limit); }, value);
    if (!status.ok() && field.limit.required && !Has(field.name)) {
      status = InvalidArgument("is missing: {}", field.doc);
    }
    status_ = std::move(status).Context("{}", At(field.name));
  }
  void OnStruct(const FieldInfo& field, const StructRef& value) override {
    if (!status_.ok()) return;
    const YamlNode* inner = map_ ? map_->Get(field.name) : nullptr;
    status_ = Checker(inner, Where(field.name), JoinPath(path_, field.name)).Check(value);
  }
  void OnOptional(const FieldInfo& field, bool& present, const StructRef& value) override {
    if (present) OnStruct(field, value);
  }
  void OnChoice(const FieldInfo& field, const ChoiceRef& value) override { OnStruct(field, value.value); }

  bool Has(std::string_view name) const { return map_ && map_->Find(name) >= 0; }

  Location Where(std::string_view name) const {
    return Has(name) ? map_->keys[static_cast<size_t>(map_->Find(name))].where : where_;
  }
  std::string At(std::string_view name) const {
    return fmt::format("{}: {}", Where(name).ToString(), JoinPath(path_, name));
  }

  // Says where in the text the struct's own complaint belongs: at the field that it begins with, if any.
  Status Locate(const Status& status) const {
    const std::string& message = status.message();
    const size_t colon = message.find(": ");
    const std::string name = message.substr(0, colon);
    if (colon != std::string::npos && Has(name)) {
      return Status(status.code(), fmt::format("{}{}", At(name), message.substr(colon)));
    }
    const std::string path = path_.empty() ? "" : path_ + ": ";
    return Status(status.code(), fmt::format("{}: {}{}", where_.ToString(), path, message));
  }

  const YamlNode* map_;
  Location where_;
  std::string path_;
  Status status_;
};

}  // namespace

Status CheckValues(const StructRef& value, const YamlNode& root) {
  return Checker(&root, {root.where.source}, "").Check(value);
}

}  // namespace headrace::config::internal
