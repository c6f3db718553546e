#include "headrace/core/internal/yaml_tree.h"

#include <algorithm>

#include "headrace/core/internal/yaml_parse.h"

namespace headrace::config::internal {
namespace {

constexpr size_t kMaxShown = 60;  // bytes of a value that an error repeats

// The places inside the value of an override mean nothing to whoever typed it.
void ForgetLines(std::string_view source, YamlNode& node) {
  node.where = {std::string(source)};
  for (YamlKey& key : node.keys) key.where = node.where;
  for (YamlNode& item : node.items) ForgetLines(source, item);
}

}  // namespace

std::string Location::ToString() const {
  return line == 0 ? source : fmt::format("{}:{}:{}", source, line, column);
}

int YamlNode::Find(std::string_view key) const {
  const auto found = std::ranges::find(keys, key, &YamlKey::name);
  return found == keys.end() ? -1 : static_cast<int>(found - keys.begin());
}

const YamlNode* YamlNode::Get(std::string_view key) const {
  const int index = Find(key);
  return index < 0 ? nullptr : &items[static_cast<size_t>(index)];
}

Status ApplyOverride(std::string_view override_text, YamlNode& root) {
  const std::string source = fmt::format("override \"{}\"", override_text);
  const size_t equals = override_text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return InvalidArgument("{}: expected key=value, such as train.steps=100", source);
  }
  HR_TRY(YamlNode value, ParseYaml(override_text.substr(equals + 1), source));
  ForgetLines(source, value);

  YamlNode* node = &root;
  std::string_view path = override_text.substr(0, equals);
  while (true) {
    const size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    if (node->kind == YamlNode::Kind::kNull) node->kind = YamlNode::Kind::kMap;
    if (node->kind != YamlNode::Kind::kMap) {
      return InvalidArgument(
          "{}: {} is {}, which holds no key {}", source,
          override_text.substr(0, static_cast<size_t>(name.data() - override_text.data()) - 1),
          Describe(*node), name);
    }
    int index = node->Find(name);
    if (index < 0) {
      index = static_cast<int>(node->keys.size());
      node->keys.push_back({std::string(name), {source}});
      node->items.push_back({.where = {source}});
    }
    node->keys[static_cast<size_t>(index)].where = {source};
    node = &node->items[static_cast<size_t>(index)];
    if (dot == std::string_view::npos) break;
    path = path.substr(dot + 1);
  }
  *node = std::move(value);
  return Ok();
}

std::string Describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kMap:
      return "a mapping";
    case YamlNode::Kind::kScalar:
      break;
  }
  const bool cut = node.text.size() > kMaxShown;
  return fmt::format("{}\"{}{}\"", node.quoted ? "the string " : "", node.text.substr(0, kMaxShown),
                     cut ? "…" : "");
}

}  // namespace headrace::config::internal
