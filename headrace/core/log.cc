#include "headrace/core/log.h"

#include <array>

namespace headrace {
namespace {

std::string QuotedIfNeeded(const std::string& value) {
  if (!value.empty() && value.find_first_of(" \"\n\t") == std::string::npos) return value;
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace

std::string_view Name(LogLevel level) {
  constexpr std::array<std::string_view, 4> kNames = {"debug", "info", "warning", "error"};
  return kNames.at(static_cast<size_t>(level));
}

std::string LogRecord::ToString() const {
  std::string text(message);
  for (const LogField& field : fields) text += fmt::format(" {}={}", field.key, QuotedIfNeeded(field.value));
  return text;
}

void Logger::Log(LogLevel level, std::string_view message, std::span<const LogField> fields) const {
  if (Passes(level)) sink_({level, message, fields});
}

}  // namespace headrace
