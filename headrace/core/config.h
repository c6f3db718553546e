// Typed configuration: a struct says once what its fields are, and is then read from YAML, written back,
// described as a JSON Schema, and compared with another.
//
//   struct DataSplit {
//     int64_t train = 0;
//     int64_t eval = 0;
//     void Fields(config::Visitor& v) {
//       v.Field("train", train, "Number of examples to train on", config::AtLeast(1));
//       v.Field("eval", eval, "Number of examples held out", config::AtLeast(0));
//     }
//     Status Validate() const;      // optional: what one field alone cannot say
//   };
//   DataSplit split;
//   HR_TRY(config::Load(text, "run.yaml", {"split.train=100"}, split));
//
// Every error says source, line, column and path of the key; an unknown key names the nearest known one.
// Nothing here reads a file. Fields() calls the same names in the same order each time. Values are not
// thread-safe; the functions are.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "headrace/core/status.h"

namespace headrace::config {

class Visitor;

// A field of one of the types that YAML writes as one value; in a list, every element is such a value, and so
// it is in a mapping from names of the user's own. An optional that is absent differs from any value and is
// written `null`.
using LeafRef =
    std::variant<bool*, int64_t*, double*, std::string*, std::vector<int64_t>*, std::vector<double>*,
                 std::vector<std::string>*, std::map<std::string, double>*, std::optional<bool>*,
                 std::optional<int64_t>*, std::optional<double>*, std::optional<std::string>*>;

template <class T>
concept LeafType = requires(T* pointer) { LeafRef(std::in_place_type<T*>, pointer); };
template <class T>
concept StructType = requires(T& value, Visitor& visitor) { value.Fields(visitor); };

// What a value must be beyond its type; for a list or mapping, each of its elements. Checked on the loaded
// values, defaults included, and part of the schema: a field whose default breaks its own limit must be
// given.
struct Limit {
  std::optional<double> min;
  std::optional<double> max;
  bool above_min = false;            // min itself is refused
  bool required = false;             // a string or list must not be empty
  std::vector<std::string> allowed;  // a string must be one of these
};
inline Limit AtLeast(double min) { return {.min = min}; }
inline Limit Positive() { return {.min = 0, .above_min = true}; }
inline Limit Between(double min, double max) { return {.min = min, .max = max}; }
inline Limit Required() { return {.required = true}; }

// What is said of a field beside its value.
struct FieldInfo {
  std::string_view name;
  std::string_view doc;
  Limit limit;
};

// A nested struct: any type with Fields() and, if it has one, Validate().
struct StructRef {
  std::function<void(Visitor&)> fields;
  std::function<Status()> validate;

  // Refers to `value`, which must outlive it.
  template <StructType T>
  static StructRef Of(T& value);
  // A config of type T with its defaults, which it keeps alive.
  template <StructType T>
  static StructRef Defaults();
};

// One of several kinds of thing, each with a config of its own; the value of `key` says which.
struct ChoiceRef {
  std::string_view key;
  std::vector<std::string> kinds;
  std::string_view kind;                                     // the one in place
  StructRef value;                                           // its config
  std::function<StructRef(std::string_view kind)> select;    // puts another in place, with its defaults
  std::function<StructRef(std::string_view kind)> defaults;  // a config of that kind, in no place

  // Each alternative is a config struct with `static constexpr std::string_view kKind`. `value` must outlive
  // the reference.
  template <class... Ts>
  static ChoiceRef Of(std::variant<Ts...>& value, std::string_view key = "kind");
};

// Walks the fields of a config. Reader, writer, schema and comparison are Visitors.
class Visitor {
 public:
  virtual ~Visitor() = default;

  template <LeafType T>
  void Field(std::string_view name, T& value, std::string_view doc, Limit limit = {}) {
    OnLeaf({name, doc, std::move(limit)}, &value);
  }
  template <StructType T>
  void Field(std::string_view name, T& value, std::string_view doc) {
    OnStruct({name, doc, {}}, StructRef::Of(value));
  }
  // A struct that may be absent.
  template <StructType T>
  void Field(std::string_view name, std::optional<T>& value, std::string_view doc) {
    bool present = value.has_value();
    T inner = value.value_or(T{});
    OnOptional({name, doc, {}}, present, StructRef::Of(inner));
    value = present ? std::optional<T>(std::move(inner)) : std::nullopt;
  }
  // One of several structs, by its key `kind`.
  template <class... Ts>
  void Field(std::string_view name, std::variant<Ts...>& value, std::string_view doc) {
    OnChoice({name, doc, {}}, ChoiceRef::Of(value));
  }
  void Choice(std::string_view name, const ChoiceRef& value, std::string_view doc) {
    OnChoice({name, doc, {}}, value);
  }
  // A string out of a fixed list.
  void OneOf(std::string_view name, std::string& value, std::span<const std::string_view> allowed,
             std::string_view doc) {
    OnLeaf({name, doc, {.allowed = {allowed.begin(), allowed.end()}}}, &value);
  }

 protected:
  virtual void OnLeaf(const FieldInfo& field, LeafRef value) = 0;
  virtual void OnStruct(const FieldInfo& field, const StructRef& value) = 0;
  // `present` says whether the struct is there; a reader sets it.
  virtual void OnOptional(const FieldInfo& field, bool& present, const StructRef& value) = 0;
  virtual void OnChoice(const FieldInfo& field, const ChoiceRef& value) = 0;
};

// Reads YAML `text` into `target`, then applies `overrides` ("a.b=value", the value in YAML), then checks
// limits and calls Validate() from the inside out. `source` is the name that errors call the text by. A
// Validate() whose message begins with "<field>: " is reported at that field. On an error `target` is left in
// an unspecified state.
Status LoadInto(std::string_view text, std::string_view source, std::span<const std::string> overrides,
                const StructRef& target);
template <StructType T>
Status Load(std::string_view text, std::string_view source, std::span<const std::string> overrides,
            T& target) {
  return LoadInto(text, source, overrides, StructRef::Of(target));
}

// The config as YAML, every field written; Load reads it back to the same values (of finite numbers).
std::string DumpYaml(const StructRef& value);
template <StructType T>
std::string DumpYaml(T value) {
  return DumpYaml(StructRef::Of(value));
}

// The config's JSON Schema (draft 2020-12), for editors; `value` holds the defaults.
std::string JsonSchema(const StructRef& value, std::string_view title);

struct Difference {
  std::string key;     // "train.steps"
  std::string before;  // in YAML; empty where there is no such key
  std::string after;
};
// Every leaf in which two configs of the same type differ, in the order of the fields.
std::vector<Difference> Compare(const StructRef& before, const StructRef& after);
template <StructType T>
std::vector<Difference> Compare(T before, T after) {
  return Compare(StructRef::Of(before), StructRef::Of(after));
}

// Of `known`, the one that `name` most likely means, by its initials ("lr") or else by Damerau-Levenshtein
// distance; nothing where none is near.
std::optional<std::string> Nearest(std::string_view name, std::span<const std::string> known);

// --- implementation of templates ---

namespace internal {
template <class T>
Status Validate([[maybe_unused]] const T& value) {
  if constexpr (requires { value.Validate(); }) return value.Validate();
  return Ok();
}
}  // namespace internal

template <StructType T>
StructRef StructRef::Of(T& value) {
  return {[&value](Visitor& visitor) { value.Fields(visitor); },
          [&value] { return internal::Validate(value); }};
}

template <StructType T>
StructRef StructRef::Defaults() {
  return {[](Visitor& visitor) { T().Fields(visitor); }, [] { return Ok(); }};
}

template <class... Ts>
ChoiceRef ChoiceRef::Of(std::variant<Ts...>& value, std::string_view key) {
  ChoiceRef choice{.key = key, .kinds = {std::string(Ts::kKind)...}};
  auto refer = [&value] { return std::visit([](auto& chosen) { return StructRef::Of(chosen); }, value); };
  choice.kind = std::visit([](auto& chosen) { return std::string_view(chosen.kKind); }, value);
  choice.value = refer();
  choice.select = [&value, refer](std::string_view kind) {
    ((Ts::kKind == kind ? void(value = Ts()) : void()), ...);
    return refer();
  };
  choice.defaults = [](std::string_view kind) {
    StructRef made;
    ((Ts::kKind == kind ? void(made = StructRef::Defaults<Ts>()) : void()), ...);
    return made;
  };
  return choice;
}

}  // namespace headrace::config
