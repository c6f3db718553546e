#include "headrace/core/internal/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headrace::config::internal {
namespace {

Status Expected(std::string_view what, const YamlNode& node) {
  return InvalidArgument("expected {}, got {}", what, Describe(node));
}

// Plain digits, with sign, point and exponent; not the hexadecimal, octal, infinite and "not a number" forms
// of YAML.
bool LooksLikeNumber(const YamlNode& node) {
  return node.kind == YamlNode::Kind::kScalar && !node.quoted &&
         node.text.find_first_not_of("0123456789+-.eE") == std::string::npos;
}

template <class T>
std::errc ParseNumber(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end != text.data() + text.size() ? std::errc::invalid_argument : error;
}

// Words that some YAML reader somewhere takes for something else than text.
bool IsReserved(std::string_view text) {
  constexpr std::array<std::string_view, 10> kWords = {"null", "true", "false", "yes", "no",
                                                       "on",   "off",  "y",     "n",   "nan"};
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::find(kWords, lower) != kWords.end();
}

bool NeedsQuotes(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+";
  if (text.empty() || IsReserved(text)) return true;
  const bool starts_plainly =
      std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_' || text[0] == '/';
  return !starts_plainly || text.find_first_not_of(kPlain) != std::string_view::npos;
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

template <class T>
std::string WriteAny(const T& value) {
  return WriteValue(value);
}
template <class T>
std::string WriteAny(const std::optional<T>& value) {
  return value ? WriteValue(*value) : "null";
}
template <class T>
std::string WriteAny(const std::vector<T>& values) {
  std::string out = "[";
  for (const T& value : values) {
    if (out.size() > 1) out += ", ";
    out += WriteValue(value);
  }
  return out + "]";
}
template <class T>
std::string WriteAny(const std::map<std::string, T>& values) {
  std::string out = "{";
  for (const auto& [key, value] : values) {
    if (out.size() > 1) out += ", ";
    out += fmt::format("{}: {}", WriteValue(key), WriteValue(value));
  }
  return out + "}";
}

}  // namespace

Status ReadValue(const YamlNode& node, bool& value) {
  const bool plain = node.kind == YamlNode::Kind::kScalar && !node.quoted;
  if (!plain || (node.text != "true" && node.text != "false")) return Expected("true or false", node);
  value = node.text == "true";
  return Ok();
}

Status ReadValue(const YamlNode& node, int64_t& value) {
  constexpr std::string_view kWhat = "a whole number";
  if (!LooksLikeNumber(node)) return Expected(kWhat, node);
  std::errc error = ParseNumber(node.text, value);
  if (error == std::errc::invalid_argument) {
    double real = 0;
    error = ParseNumber(node.text, real);
    if (error == std::errc() && std::abs(real) >= 0x1p63) error = std::errc::result_out_of_range;
    if (error == std::errc() && real != std::trunc(real)) return Expected(kWhat, node);
    if (error == std::errc()) value = static_cast<int64_t>(real);
  }
  if (error == std::errc::result_out_of_range)
    return InvalidArgument("{} does not fit in 64 bits", node.text);
  return error == std::errc() ? Ok() : Expected(kWhat, node);
}

Status ReadValue(const YamlNode& node, double& value) {
  constexpr std::string_view kWhat = "a number";
  if (!LooksLikeNumber(node)) return Expected(kWhat, node);
  const std::errc error = ParseNumber(node.text, value);
  if (error == std::errc::result_out_of_range)
    return InvalidArgument("{} does not fit in a double", node.text);
  return error == std::errc() ? Ok() : Expected(kWhat, node);
}

Status ReadValue(const YamlNode& node, std::string& value) {
  if (node.kind == YamlNode::Kind::kNull) {
    return InvalidArgument("expected text, got nothing; write \"\" for empty text and quote \"null\"");
  }
  if (node.kind != YamlNode::Kind::kScalar) return Expected("text", node);
  value = node.text;
  return Ok();
}

std::string WriteValue(bool value) { return value ? "true" : "false"; }
std::string WriteValue(int64_t value) { return fmt::format("{}", value); }
std::string WriteValue(double value) { return fmt::format("{}", value); }
std::string WriteValue(const std::string& value) { return NeedsQuotes(value) ? Quoted(value) : value; }

std::string WriteLeaf(LeafRef leaf) {
  return std::visit([](auto* value) { return WriteAny(*value); }, leaf);
}

}  // namespace headrace::config::internal
