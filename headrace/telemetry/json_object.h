// JsonObject: builds one JSON object, its fields in the order in which they are set.
//
// Numbers are written as the shortest text that reads back to the same bits; a float keeps the short form of
// a float. JSON has no NaN and no infinities: they become the strings "NaN", "Infinity" and "-Infinity", as
// in protobuf's JSON, so that every parser takes the line and float("NaN") still works. A value type.
//
//   JsonObject eval;
//   eval.Set("loss", 0.081).Set("accuracy", 0.9756);
//   std::string line = JsonObject().Set("step", 600).Set("eval", eval).OneLine();
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headrace::telemetry {

class JsonObject {
 public:
  template <class T>
    requires std::integral<T> || std::floating_point<T>
  JsonObject& Set(std::string_view key, T value) {
    if constexpr (std::same_as<T, bool>) return SetText(key, value ? "true" : "false");
    if constexpr (std::same_as<T, float>) return SetText(key, NumberText(value));
    if constexpr (std::floating_point<T>) return SetText(key, NumberText(static_cast<double>(value)));
    if constexpr (std::integral<T>) return SetText(key, std::to_string(value));
  }
  JsonObject& Set(std::string_view key, std::string_view value);
  JsonObject& Set(std::string_view key, const char* value) { return Set(key, std::string_view(value)); }
  JsonObject& Set(std::string_view key, const JsonObject& value) { return SetText(key, value.OneLine()); }
  JsonObject& SetNull(std::string_view key) { return SetText(key, "null"); }

  std::string OneLine() const;  // {"step": 600, "eval": {"loss": 0.081}}
  std::string Pretty() const;   // one field a line, the values as in OneLine, and a newline at the end

 private:
  static std::string NumberText(double value);
  static std::string NumberText(float value);
  JsonObject& SetText(std::string_view key, std::string text);  // replaces the value of a key that is there

  std::vector<std::pair<std::string, std::string>> fields_;  // key and value, both as JSON text
};

}  // namespace headrace::telemetry
