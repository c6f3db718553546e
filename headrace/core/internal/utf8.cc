#include "headrace/core/internal/utf8.h"

namespace headrace::config::internal {
namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

size_t Utf8Length(std::string_view text) {
  if (text.empty()) return 0;
  const auto first = static_cast<unsigned char>(text[0]);
  const auto second = text.size() > 1 ? static_cast<unsigned char>(text[1]) : 0;
  size_t length = 0;
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) length = 2;
  if (first >= 0xE0 && first <= 0xEF) length = 3;
  if (first >= 0xF0 && first <= 0xF4) length = 4;
  if (length == 0 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if (!IsContinuation(text[i])) return 0;
  }
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second >= 0xA0;
  const bool beyond = first == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

Status CheckText(std::string_view text) {
  int line = 1;
  for (size_t i = 0; i < text.size();) {
    const size_t length = Utf8Length(text.substr(i));
    const auto byte = static_cast<unsigned char>(text[i]);
    if (length == 0) return InvalidArgument("line {}: byte 0x{:02x} is not UTF-8 text", line, byte);
    const bool allowed = byte >= 0x20 || byte == '\t' || byte == '\n' || byte == '\r';
    if (!allowed || byte == 0x7F) {
      return InvalidArgument("line {}: control character 0x{:02x} is not allowed", line, byte);
    }
    if (byte == '\n') ++line;
    i += length;
  }
  return Ok();
}

}  // namespace headrace::config::internal
