#include "headrace/core/internal/config_check.h"

#include "headrace/core/internal/leaves.h"
#include "headrace/core/internal/limit.h"

namespace headrace::config::internal {
namespace {

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
    Status status = CheckLimit(value, field.limit);
    if (!status.ok() && !Has(field.name)) status = InvalidArgument("is missing: {}", field.doc);
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
