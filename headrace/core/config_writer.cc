#include "headrace/core/config.h"
#include "headrace/core/internal/scalar.h"

namespace headrace::config {
namespace {

class Writer : public Visitor {
 public:
  std::string text;

 private:
  void OnLeaf(const FieldInfo& field, LeafRef value) override {
    Line(field.name, internal::WriteLeaf(value));
  }
  void OnStruct(const FieldInfo& field, const StructRef& value) override {
    Nested(field.name, [&] { value.fields(*this); });
  }
  void OnOptional(const FieldInfo& field, bool& present, const StructRef& value) override {
    present ? OnStruct(field, value) : Line(field.name, "null");
  }
  void OnChoice(const FieldInfo& field, const ChoiceRef& value) override {
    Nested(field.name, [&] {
      Line(value.key, internal::WriteValue(std::string(value.kind)));
      value.value.fields(*this);
    });
  }

  void Line(std::string_view name, std::string_view value) {
    text += fmt::format("{:{}}{}: {}\n", "", indent_, name, value);
  }
  template <class Body>
  void Nested(std::string_view name, Body body) {
    const size_t start = text.size();
    text += fmt::format("{:{}}{}:\n", "", indent_, name);
    const size_t opened = text.size();
    indent_ += 2;
    body();
    indent_ -= 2;
    if (text.size() > opened) return;
    text.resize(start);
    Line(name, "{}");
  }

  int indent_ = 0;
};

}  // namespace

std::string DumpYaml(const StructRef& value) {
  Writer writer;
  value.fields(writer);
  return std::move(writer.text);
}

}  // namespace headrace::config
