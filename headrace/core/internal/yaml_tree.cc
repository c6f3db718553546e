#include "headrace/core/internal/yaml_tree.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "headrace/core/internal/utf8.h"

namespace headrace::config::internal {
namespace {

constexpr int kMaxDepth = 50;
constexpr int kMaxNodes = 100'000;
constexpr size_t kMaxShown = 60;  // bytes of a value that an error repeats

// Turns the library's tree, in which aliases share nodes, into ours, in which they are copies.
class Converter {
 public:
  explicit Converter(std::string_view source) : source_(source) {}

  Result<YamlNode> Convert(const YAML::Node& from, int depth) {
    YamlNode node{.where = At(from.Mark())};
    if (depth > kMaxDepth) return Refuse(node.where, "nested more than {} deep", kMaxDepth);
    if (++count_ > kMaxNodes) return Refuse(node.where, "more than {} values", kMaxNodes);
    if (from.Tag().size() > 1) return Refuse(node.where, "the tag {} has no meaning here", from.Tag());
    switch (from.Type()) {
      case YAML::NodeType::Scalar:
        node.kind = YamlNode::Kind::kScalar;
        node.text = from.Scalar();
        node.quoted = from.Tag() == "!";
        break;
      case YAML::NodeType::Sequence:
        node.kind = YamlNode::Kind::kList;
        for (const YAML::Node& item : from) {
          HR_TRY(YamlNode converted, Convert(item, depth + 1));
          node.items.push_back(std::move(converted));
        }
        break;
      case YAML::NodeType::Map:
        node.kind = YamlNode::Kind::kMap;
        for (const auto& member : from) HR_TRY(AddMember(member.first, member.second, depth, node));
        break;
      default:
        break;
    }
    return node;
  }

 private:
  Status AddMember(const YAML::Node& key, const YAML::Node& value, int depth, YamlNode& map) {
    const Location where = At(key.Mark());
    if (!key.IsScalar()) return Refuse(where, "a key must be a name");
    if (int first = map.Find(key.Scalar()); first >= 0) {
      return Refuse(where, "duplicate key {}, first written on line {}", key.Scalar(),
                    map.keys[static_cast<size_t>(first)].where.line);
    }
    HR_TRY(YamlNode converted, Convert(value, depth + 1));
    if (converted.kind == YamlNode::Kind::kNull)
      converted.where = where;  // the library says where it looked last
    map.keys.push_back({key.Scalar(), where});
    map.items.push_back(std::move(converted));
    return Ok();
  }

  Location At(const YAML::Mark& mark) const {
    if (mark.is_null()) return {source_};
    return {source_, mark.line + 1, mark.column + 1};
  }

  template <class... Args>
  Status Refuse(const Location& where, fmt::format_string<Args...> message, Args&&... args) {
    return InvalidArgument("{}: {}", where.ToString(), fmt::format(message, std::forward<Args>(args)...));
  }

  std::string source_;
  int count_ = 0;
};

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

Result<YamlNode> ParseYaml(std::string_view text, std::string_view source) {
  HR_TRY(CheckText(text).Context("{}", source));
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
    if (documents.empty()) return YamlNode{.where = {std::string(source)}};
    if (documents.size() > 1) {
      return InvalidArgument("{}: holds {} YAML documents; write one", source, documents.size());
    }
    return Converter(source).Convert(documents[0], 0);
  } catch (const YAML::Exception& error) {
    const Location where{std::string(source), error.mark.is_null() ? 0 : error.mark.line + 1,
                         error.mark.column + 1};
    return InvalidArgument("{}: not valid YAML: {}", where.ToString(), error.msg);
  } catch (const std::exception& error) {
    return InvalidArgument("{}: not valid YAML: {}", source, error.what());
  }
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
