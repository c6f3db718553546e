#include <nlohmann/json.hpp>

#include "headrace/core/config.h"
#include "headrace/core/internal/limit.h"

namespace headrace::config {
namespace {

using Json = nlohmann::ordered_json;

Json TypeOf(bool) { return {{"type", "boolean"}}; }
Json TypeOf(int64_t) { return {{"type", "integer"}}; }
Json TypeOf(double) { return {{"type", "number"}}; }
// Text may look like a number or a truth value.
Json TypeOf(const std::string&) { return {{"type", {"string", "number", "boolean"}}}; }

// As 0, not as 0.0.
Json Number(double value) {
  const auto whole = static_cast<int64_t>(value);
  return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

void AddLimit(const Limit& limit, Json& schema) {
  if (limit.min) schema[limit.above_min ? "exclusiveMinimum" : "minimum"] = Number(*limit.min);
  if (limit.max) schema["maximum"] = Number(*limit.max);
  if (!limit.allowed.empty()) schema["enum"] = limit.allowed;
}

template <class T>
Json LeafSchema(const T& value, const Limit& limit) {
  Json schema = TypeOf(value);
  AddLimit(limit, schema);
  if (limit.required) schema["minLength"] = 1;
  schema["default"] = value;
  return schema;
}
template <class T>
Json LeafSchema(const std::optional<T>& value, const Limit& limit) {
  Json schema = TypeOf(T{});
  AddLimit(limit, schema);
  if (!schema["type"].is_array()) schema["type"] = Json::array({schema["type"]});
  schema["type"].push_back("null");
  if (schema.contains("enum")) schema["enum"].push_back(nullptr);
  schema["default"] = value ? Json(*value) : Json();
  return schema;
}
template <class T>
Json LeafSchema(const std::vector<T>& values, const Limit& limit) {
  Json items = TypeOf(T{});
  AddLimit(limit, items);
  Json schema = {{"type", "array"}, {"items", std::move(items)}};
  if (limit.required) schema["minItems"] = 1;
  schema["default"] = values;
  return schema;
}
template <class T>
Json LeafSchema(const std::map<std::string, T>& values, const Limit& limit) {
  Json items = TypeOf(T{});
  AddLimit(limit, items);
  Json schema = {{"type", "object"}, {"additionalProperties", std::move(items)}};
  if (limit.required) schema["minProperties"] = 1;
  schema["default"] = values;
  return schema;
}

// Builds the schema of one struct.
class SchemaMaker : public Visitor {
 public:
  static Json Object(const StructRef& value, Json properties = Json::object(),
                     Json required = Json::array()) {
    SchemaMaker maker;
    maker.properties_ = std::move(properties);
    maker.required_ = std::move(required);
    value.fields(maker);
    Json schema = {
        {"type", "object"}, {"properties", std::move(maker.properties_)}, {"additionalProperties", false}};
    if (!maker.required_.empty()) schema["required"] = std::move(maker.required_);
    return schema;
  }

 private:
  void OnLeaf(const FieldInfo& field, LeafRef value) override {
    Json schema = std::visit([&](auto* leaf) { return LeafSchema(*leaf, field.limit); }, value);
    if (!internal::CheckLimit(value, field.limit).ok()) {  // loading fails without it
      required_.push_back(field.name);
      schema.erase("default");
    }
    Add(field, std::move(schema));
  }
  void OnStruct(const FieldInfo& field, const StructRef& value) override { Add(field, Object(value)); }
  void OnOptional(const FieldInfo& field, bool&, const StructRef& value) override {
    Add(field, {{"oneOf", {Object(value), {{"type", "null"}}}}});
  }
  // The key that chooses may be left out only where the kind in place is meant.
  void OnChoice(const FieldInfo& field, const ChoiceRef& choice) override {
    Json kinds = Json::array();
    for (const std::string& kind : choice.kinds) {
      const bool in_place = kind == choice.kind;
      Json key = {{choice.key, {{"const", kind}}}};
      kinds.push_back(Object(in_place ? choice.value : choice.defaults(kind), std::move(key),
                             in_place ? Json::array() : Json::array({choice.key})));
    }
    Add(field, {{"oneOf", std::move(kinds)}});
  }

  void Add(const FieldInfo& field, Json schema) {
    if (!field.doc.empty()) schema["description"] = field.doc;
    properties_[std::string(field.name)] = std::move(schema);
  }

  Json properties_;
  Json required_;
};

}  // namespace

std::string JsonSchema(const StructRef& value, std::string_view title) {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
  schema.update(SchemaMaker::Object(value));
  return schema.dump(2) + "\n";
}

}  // namespace headrace::config
