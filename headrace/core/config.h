// Typed configuration: a struct says once what its fields are, and is then read from YAML, written back,
// described as a JSON Schema, and compared with another.
//
//   struct DataSplit {
//     int64_t train = 0;
//     int64_t eval = 0;
//     void Fields(config::Visitor& v) {
//       v.Field("train", train, "Number of examples to train on");
//       v.Field("eval", eval, "Number of examples held out");
//     }
//     Status Validate() const;      // optional: what the types cannot say
//   };
//   DataSplit split;
//   HR_TRY(config::Load(text, "run.yaml", {"split.train=100"}, split));
//
// An unknown key is an error that names the nearest known one; every error says file, line and path of the
// key. Nothing here reads a file. Values are not thread-safe; the functions are.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/core/status.h"

namespace headrace::config {

class Visitor;

// What Visitor needs of a nested struct; made from any type with Fields() and, if it has one, Validate().
struct StructRef {
  std::function<void(Visitor&)> fields;
  std::function<Status()> validate;

  template <class T>
  static StructRef Of(T& value) {
    return {[&value](Visitor& v) { value.Fields(v); },
            [&value]() -> Status {
              if constexpr (requires { value.Validate(); }) return value.Validate();
              return Ok();
            }};
  }
};

// One of several kinds of thing, chosen by the key `kind`, each with its own config. `create` makes the
// config of a kind with its defaults, or null for an unknown one.
struct ChoiceRef {
  std::vector<std::string> kinds;
  std::string* kind;                                       // the one that is chosen
  std::function<StructRef(std::string_view kind)> select;  // makes the config of `kind` with its defaults
};

// Walks the fields of a config. Readers, writers, the schema and the comparison are Visitors.
class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void Field(std::string_view name, bool& value, std::string_view doc) = 0;
  virtual void Field(std::string_view name, int64_t& value, std::string_view doc) = 0;
  virtual void Field(std::string_view name, double& value, std::string_view doc) = 0;
  virtual void Field(std::string_view name, std::string& value, std::string_view doc) = 0;
  virtual void Field(std::string_view name, std::vector<int64_t>& value, std::string_view doc) = 0;
  virtual void Field(std::string_view name, std::vector<double>& value, std::string_view doc) = 0;
  virtual void Field(std::string_view name, std::vector<std::string>& value, std::string_view doc) = 0;
  // Absent means "not set", which differs from any value.
  virtual void Field(std::string_view name, std::optional<int64_t>& value, std::string_view doc) = 0;
  virtual void Field(std::string_view name, std::optional<double>& value, std::string_view doc) = 0;
  virtual void Field(std::string_view name, std::optional<std::string>& value, std::string_view doc) = 0;
  // A string out of a fixed list.
  virtual void OneOf(std::string_view name, std::string& value, std::span<const std::string_view> allowed,
                     std::string_view doc) = 0;
  // A nested struct.
  virtual void Struct(std::string_view name, StructRef value, std::string_view doc) = 0;
  // An optional nested struct: `present` says whether the key is there.
  virtual void OptionalStruct(std::string_view name, bool& present, StructRef value,
                              std::string_view doc) = 0;
  // A nested struct whose fields depend on its key `kind`.
  virtual void Choice(std::string_view name, ChoiceRef value, std::string_view doc) = 0;

  template <class T>
    requires requires(T& value, Visitor& v) { value.Fields(v); }
  void Field(std::string_view name, T& value, std::string_view doc) {
    Struct(name, StructRef::Of(value), doc);
  }
  template <class T>
    requires requires(T& value, Visitor& v) { value.Fields(v); }
  void Field(std::string_view name, std::optional<T>& value, std::string_view doc) {
    bool present = value.has_value();
    T inner = value.value_or(T{});
    OptionalStruct(name, present, StructRef::Of(inner), doc);
    value = present ? std::optional<T>(std::move(inner)) : std::nullopt;
  }
};

// Reads YAML `text` into `target`, then applies `overrides` ("a.b=value", the value in YAML), then validates
// from the inside out. `source` is the name that errors call the text by.
Status LoadInto(std::string_view text, std::string_view source, std::span<const std::string> overrides,
                StructRef target);
template <class T>
Status Load(std::string_view text, std::string_view source, std::span<const std::string> overrides,
            T& target) {
  return LoadInto(text, source, overrides, StructRef::Of(target));
}

// The config as YAML, every field written; the text that Load reads back to the same values.
std::string DumpYaml(StructRef value);

// The config's JSON Schema (draft 2020-12), for editors.
std::string JsonSchema(StructRef value, std::string_view title);

struct Difference {
  std::string key;  // "train.steps"
  std::string before;
  std::string after;
};
// Every leaf in which two configs of the same type differ, in the order of the fields.
std::vector<Difference> Compare(StructRef before, StructRef after);

// Of `known`, the one that `name` most likely means; nothing where none is near. (Damerau-Levenshtein
// distance.)
std::optional<std::string> Nearest(std::string_view name, std::span<const std::string> known);

}  // namespace headrace::config
