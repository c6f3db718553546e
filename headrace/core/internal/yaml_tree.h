// A YAML document as a tree that remembers where each part was written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headrace/core/status.h"

namespace headrace::config::internal {

// A place in a text, counted from 1; line 0 means the text as a whole.
struct Location {
  std::string source;
  int line = 0;
  int column = 0;

  std::string ToString() const;  // "run.yaml:12:3"
};

struct YamlKey {
  std::string name;
  Location where;
};

struct YamlNode {
  enum class Kind { kNull, kScalar, kList, kMap };

  Kind kind = Kind::kNull;
  std::string text;             // of a scalar
  bool quoted = false;          // a scalar written in quotes, or as a block, is text whatever it looks like
  std::vector<YamlKey> keys;    // of a map; keys[i] names items[i]; no two are equal
  std::vector<YamlNode> items;  // of a list or map
  Location where;

  // The index of a map's key, or -1.
  int Find(std::string_view key) const;
  const YamlNode* Get(std::string_view key) const;
};

// Puts the value of an override "a.b=value" into a tree whose root is a map, making the maps on the way.
Status ApplyOverride(std::string_view override_text, YamlNode& root);

// What an error calls this node: `"many"`, `the string "5"`, `a list`, `a mapping`, `nothing`.
std::string Describe(const YamlNode& node);

}  // namespace headrace::config::internal
