#include "headrace/telemetry/json_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headrace::telemetry {
namespace {

template <class T>
std::string Number(T value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.begin(), text.end(), value).ptr};
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string Join(const std::vector<std::pair<std::string, std::string>>& fields, std::string_view separator) {
  std::string out;
  for (const auto& [key, value] : fields) {
    if (!out.empty()) out += separator;
    out += key + ": " + value;
  }
  return out;
}

}  // namespace

JsonObject& JsonObject::Set(std::string_view key, std::string_view value) {
  return SetText(key, Quoted(value));
}

std::string JsonObject::OneLine() const { return "{" + Join(fields_, ", ") + "}"; }

std::string JsonObject::Pretty() const {
  if (fields_.empty()) return "{}\n";
  return "{\n  " + Join(fields_, ",\n  ") + "\n}\n";
}

std::string JsonObject::NumberText(double value) { return Number(value); }
std::string JsonObject::NumberText(float value) { return Number(value); }

JsonObject& JsonObject::SetText(std::string_view key, std::string text) {
  std::string quoted = Quoted(key);
  auto field = std::ranges::find(fields_, quoted, [](const auto& f) { return f.first; });
  if (field != fields_.end()) {
    field->second = std::move(text);
  } else {
    fields_.emplace_back(std::move(quoted), std::move(text));
  }
  return *this;
}

}  // namespace headrace::telemetry
