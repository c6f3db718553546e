#include <fmt/ranges.h>

#include <algorithm>

#include "headrace/core/config.h"
#include "headrace/core/internal/config_check.h"
#include "headrace/core/internal/leaves.h"
#include "headrace/core/internal/scalar.h"
#include "headrace/core/internal/yaml_parse.h"

namespace headrace::config {
namespace {

using internal::JoinPath;
using internal::YamlKey;
using internal::YamlNode;

// Reads one leaf; the error says where.
template <class T>
Status ReadLeaf(const YamlNode& node, const std::string& path, T& value) {
  return internal::ReadValue(node, value).Context("{}: {}", node.where.ToString(), path);
}
template <class T>
Status ReadLeaf(const YamlNode& node, const std::string& path, std::optional<T>& value) {
  value.reset();
  if (node.kind == YamlNode::Kind::kNull) return Ok();
  return ReadLeaf(node, path, value.emplace());
}
template <class T>
Status ReadLeaf(const YamlNode& node, const std::string& path, std::vector<T>& values) {
  if (node.kind != YamlNode::Kind::kList) {
    return InvalidArgument("{}: {}: expected a list in [ ], got {}", node.where.ToString(), path,
                           Describe(node));
  }
  values.clear();
  for (size_t i = 0; i < node.items.size(); ++i) {
    T value{};  // no reference into the vector: vector<bool> has none
    HR_TRY(ReadLeaf(node.items[i], fmt::format("{}[{}]", path, i), value));
    values.push_back(std::move(value));
  }
  return Ok();
}

template <class T>
Status ReadLeaf(const YamlNode& node, const std::string& path, std::map<std::string, T>& values) {
  if (node.kind != YamlNode::Kind::kMap) {
    return InvalidArgument("{}: {}: expected a mapping in {{ }}, got {}", node.where.ToString(), path,
                           Describe(node));
  }
  values.clear();
  for (size_t i = 0; i < node.items.size(); ++i) {
    const std::string& key = node.keys[i].name;
    HR_TRY(ReadLeaf(node.items[i], fmt::format("{}[{}]", path, key), values[key]));
  }
  return Ok();
}

// What to say of a key that no field has: the nearest beside it, else where a field of that name is, else all
// that could stand here.
std::string Suggestion(std::string_view name, const std::string& parent, std::span<const std::string> known,
                       const StructRef& root) {
  if (const auto nearest = Nearest(name, known))
    return fmt::format("did you mean {}?", JoinPath(parent, *nearest));
  std::vector<std::string> elsewhere;
  for (const internal::Leaf& leaf : internal::Leaves(root)) {
    const std::string last = leaf.key.substr(leaf.key.rfind('.') + 1);
    if (Nearest(name, std::span(&last, 1))) elsewhere.push_back(leaf.key);
  }
  if (!elsewhere.empty()) return fmt::format("did you mean {}?", fmt::join(elsewhere, " or "));
  return fmt::format("{}: {}", parent.empty() ? "known keys" : fmt::format("keys of {}", parent),
                     fmt::join(known, ", "));
}

// Puts the values of one YAML map into the fields of one struct. Stops at the first error.
class Reader : public Visitor {
 public:
  // `root` is the whole config, for suggestions.
  Reader(const YamlNode& map, std::string path, const StructRef& root)
      : map_(map), path_(std::move(path)), root_(root) {}

  Status Read(const StructRef& value) {
    if (map_.kind != YamlNode::Kind::kMap) return Expected("a mapping");
    value.fields(*this);
    HR_TRY(status_);
    return CheckKeys();
  }

  Status Read(const ChoiceRef& choice) {
    known_.emplace_back(choice.key);
    if (map_.kind != YamlNode::Kind::kMap) {
      return Expected(fmt::format("a mapping with {} ({})", choice.key, fmt::join(choice.kinds, ", ")));
    }
    const YamlNode* chosen = map_.Get(choice.key);
    if (!chosen) return Read(choice.value);
    std::string kind;
    HR_TRY(ReadLeaf(*chosen, JoinPath(path_, choice.key), kind));
    if (std::ranges::find(choice.kinds, kind) == choice.kinds.end()) {
      const auto nearest = Nearest(kind, choice.kinds);
      return InvalidArgument("{}: {}: unknown {} \"{}\"{}; {}s: {}", chosen->where.ToString(), path_,
                             choice.key, kind, nearest ? fmt::format(", did you mean {}?", *nearest) : "",
                             choice.key, fmt::join(choice.kinds, ", "));
    }
    return Read(kind == choice.kind ? choice.value : choice.select(kind));
  }

 private:
  void OnLeaf(const FieldInfo& field, LeafRef value) override {
    if (const YamlNode* node = Take(field)) {
      status_ =
          std::visit([&](auto* leaf) { return ReadLeaf(*node, JoinPath(path_, field.name), *leaf); }, value);
    }
  }
  void OnStruct(const FieldInfo& field, const StructRef& value) override {
    if (const YamlNode* node = Take(field)) status_ = Inner(*node, field).Read(value);
  }
  void OnOptional(const FieldInfo& field, bool& present, const StructRef& value) override {
    if (const YamlNode* node = Take(field)) {
      present = node->kind != YamlNode::Kind::kNull;
      if (present) status_ = Inner(*node, field).Read(value);
    }
  }
  void OnChoice(const FieldInfo& field, const ChoiceRef& value) override {
    if (const YamlNode* node = Take(field)) status_ = Inner(*node, field).Read(value);
  }

  // What the text says of this field; null if nothing, or if an error came before.
  const YamlNode* Take(const FieldInfo& field) {
    known_.emplace_back(field.name);
    return status_.ok() ? map_.Get(field.name) : nullptr;
  }
  Reader Inner(const YamlNode& node, const FieldInfo& field) const {
    return Reader(node, JoinPath(path_, field.name), root_);
  }
  Status Expected(std::string_view what) const {
    const std::string path = path_.empty() ? "" : path_ + ": ";
    return InvalidArgument("{}: {}expected {}, got {}", map_.where.ToString(), path, what, Describe(map_));
  }
  Status CheckKeys() const {
    for (const YamlKey& key : map_.keys) {
      if (std::ranges::find(known_, key.name) != known_.end()) continue;
      return InvalidArgument("{}: {}: unknown key; {}", key.where.ToString(), JoinPath(path_, key.name),
                             Suggestion(key.name, path_, known_, root_));
    }
    return Ok();
  }

  const YamlNode& map_;
  std::string path_;
  const StructRef& root_;
  std::vector<std::string> known_;
  Status status_;
};

}  // namespace

Status LoadInto(std::string_view text, std::string_view source, std::span<const std::string> overrides,
                const StructRef& target) {
  HR_TRY(YamlNode root, internal::ParseYaml(text, source));
  if (root.kind == YamlNode::Kind::kNull) root.kind = YamlNode::Kind::kMap;
  for (const std::string& override_text : overrides) HR_TRY(internal::ApplyOverride(override_text, root));
  HR_TRY(Reader(root, "", target).Read(target));
  return internal::CheckValues(target, root);
}

}  // namespace headrace::config
