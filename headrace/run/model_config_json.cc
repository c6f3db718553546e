#include "headrace/run/model_config_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "headrace/data/text_source.h"

namespace headrace::run {
namespace {

using Json = nlohmann::ordered_json;

// Writes the fields of a config into a JSON object.
class JsonFields final : public config::Visitor {
 public:
  explicit JsonFields(Json& into) : into_(into) {}

 protected:
  void OnLeaf(const config::FieldInfo& field, config::LeafRef value) override {
    std::visit([&](const auto* leaf) { into_[std::string(field.name)] = ToJson(*leaf); }, value);
  }
  void OnStruct(const config::FieldInfo& field, const config::StructRef& value) override {
    Nested(field, value);
  }
  void OnOptional(const config::FieldInfo& field, bool& present, const config::StructRef& value) override {
    if (present) Nested(field, value);
  }
  void OnChoice(const config::FieldInfo& field, const config::ChoiceRef& value) override {
    Nested(field, value.value);
    into_[std::string(field.name)][std::string(value.key)] = value.kind;
  }

 private:
  template <class T>
  static Json ToJson(const T& value) {
    return value;
  }
  template <class T>
  static Json ToJson(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
  }
  void Nested(const config::FieldInfo& field, const config::StructRef& value) {
    JsonFields inner(into_[std::string(field.name)]);
    value.fields(inner);
  }

  Json& into_;
};

}  // namespace

std::string ModelConfigJson(const models::ModelConfig& model, const std::vector<NamedType>& example_fields,
                            const std::vector<std::string>& class_names) {
  Json json = Json::object();
  std::visit(
      [&](auto kind) {  // a copy: visitors take references
        JsonFields fields(json);
        if constexpr (requires { kind.ModelType(); }) {  // a family of Hugging Face, which opens the folder
          json["model_type"] = kind.ModelType();
          json["architectures"] = {kind.Architecture()};
          kind.FieldsOfArchitecture(fields);
        } else if constexpr (requires { kind.kModelType; }) {
          json["model_type"] = kind.kModelType;
          json["architectures"] = {kind.kArchitecture};
          if constexpr (requires { kind.classes; }) json["num_labels"] = kind.classes;
        } else {
          json["model_type"] = kind.kKind;
        }
        kind.Fields(fields);
      },
      model);
  for (const NamedType& field : example_fields) {
    constexpr std::array kNoInputs = {data::kLabel, data::kMask, data::kTargets, data::kWeight};
    if (std::ranges::find(kNoInputs, field.name) == kNoInputs.end())
      json["inputs"][field.name] = field.type.shape.dims();
  }
  for (size_t i = 0; i < class_names.size(); ++i) {
    json["id2label"][std::to_string(i)] = class_names[i];
    json["label2id"][class_names[i]] = i;
  }
  json["headrace_version"] = HEADRACE_VERSION;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headrace::run
