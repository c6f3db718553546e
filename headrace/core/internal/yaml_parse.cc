#include "headrace/core/internal/yaml_parse.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <optional>
#include <sstream>

#include "headrace/core/internal/utf8.h"

namespace headrace::config::internal {
namespace {

constexpr size_t kMaxDepth = 50;
constexpr size_t kMaxNodes = 100'000;

size_t CountNodes(const YamlNode& node) {
  size_t count = 1;
  for (const YamlNode& item : node.items) count += CountNodes(item);
  return count;
}

// Builds the tree out of what the parser reports. An alias becomes a copy of what it names.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view source) : source_(source) {}

  // Thrown to make the parser stop; the reason is in status().
  struct Stop {};

  const Status& status() const { return status_; }
  YamlNode TakeRoot() { return std::move(root_); }

 private:
  // A list or map that is not closed yet.
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor;
    std::optional<YamlKey> key;  // of a map, whose value comes next
  };

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { Add({.where = At(mark)}, anchor); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto named = anchors_.find(anchor);
    if (named == anchors_.end()) Refuse(At(mark), "an alias inside of what it names");
    Add(named->second, 0);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    RefuseTag(mark, tag);
    Add({.kind = YamlNode::Kind::kScalar, .text = value, .quoted = tag == "!", .where = At(mark)}, anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    OpenNode(YamlNode::Kind::kList, mark, tag, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    OpenNode(YamlNode::Kind::kMap, mark, tag, anchor);
  }
  void OnSequenceEnd() override { CloseNode(); }
  void OnMapEnd() override { CloseNode(); }

  void OpenNode(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    RefuseTag(mark, tag);
    if (open_.size() == kMaxDepth) Refuse(At(mark), "nested more than {} deep", kMaxDepth);
    open_.push_back({{.kind = kind, .where = At(mark)}, anchor, std::nullopt});
  }
  void CloseNode() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    Add(std::move(closed.node), closed.anchor);
  }

  // Puts a finished node where it belongs.
  void Add(YamlNode node, YAML::anchor_t anchor) {
    node_count_ += anchor == 0 && node.items.empty() ? 1 : CountNodes(node);
    if (node_count_ > kMaxNodes) Refuse(node.where, "more than {} values", kMaxNodes);
    if (anchor != 0) anchors_[anchor] = node;
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (Open& parent = open_.back(); parent.node.kind == YamlNode::Kind::kList) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.key) {
      parent.key = KeyOf(node, parent.node);
    } else {
      // The library gives the place of an empty value as where it looked last.
      if (node.kind == YamlNode::Kind::kNull) node.where = parent.key->where;
      parent.node.keys.push_back(*std::exchange(parent.key, std::nullopt));
      parent.node.items.push_back(std::move(node));
    }
  }

  YamlKey KeyOf(const YamlNode& node, const YamlNode& map) {
    if (node.kind != YamlNode::Kind::kScalar) Refuse(node.where, "a key must be a name");
    if (const int first = map.Find(node.text); first >= 0) {
      Refuse(node.where, "duplicate key {}, first written on line {}", node.text,
             map.keys[static_cast<size_t>(first)].where.line);
    }
    return {node.text, node.where};
  }

  void RefuseTag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.size() > 1) Refuse(At(mark), "the tag {} has no meaning here", tag);  // "?" and "!" are no tags
  }
  template <class... Args>
  [[noreturn]] void Refuse(const Location& where, fmt::format_string<Args...> message, Args&&... args) {
    status_ = InvalidArgument("{}: {}", where.ToString(), fmt::format(message, std::forward<Args>(args)...));
    throw Stop();
  }

  Location At(const YAML::Mark& mark) const { return {source_, mark.line + 1, mark.column + 1}; }

  std::string source_;
  YamlNode root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  size_t node_count_ = 0;
  Status status_;
};

}  // namespace

Result<YamlNode> ParseYaml(std::string_view text, std::string_view source) {
  HR_TRY(CheckText(text).Context("{}", source));
  TreeBuilder builder(source);
  TreeBuilder rest(source);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return YamlNode{.where = {std::string(source)}};
    // Never loops over documents: the parser makes one after the other, without end, out of a stray bracket.
    if (parser.HandleNextDocument(rest)) {
      return InvalidArgument("{}: more text after the end of the first YAML document", source);
    }
    return builder.TakeRoot();
  } catch (const TreeBuilder::Stop&) {
    return builder.status().ok() ? rest.status() : builder.status();
  } catch (const YAML::Exception& error) {
    Location where{std::string(source)};
    if (!error.mark.is_null()) where = {where.source, error.mark.line + 1, error.mark.column + 1};
    return InvalidArgument("{}: not valid YAML: {}", where.ToString(), error.msg);
  }
}

}  // namespace headrace::config::internal
