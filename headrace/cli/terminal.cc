#include "headrace/cli/terminal.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace headrace::cli {
namespace {

// SGR codes of ECMA-48.
std::string Styled(bool enabled, std::string_view code, std::string_view text) {
  return enabled ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

}  // namespace

void Terminal::Error(std::string_view message) {
  Err("{} {}\n", Styled(style_.err, "1;31", "error:"), message);
}

std::string Terminal::Bold(std::string_view text) const { return Styled(style_.out, "1", text); }
std::string Terminal::Green(std::string_view text) const { return Styled(style_.out, "32", text); }
std::string Terminal::Yellow(std::string_view text) const { return Styled(style_.out, "33", text); }
std::string Terminal::Red(std::string_view text) const { return Styled(style_.out, "31", text); }
std::string Terminal::Dim(std::string_view text) const { return Styled(style_.out, "2", text); }

void Terminal::Write(std::FILE* stream, std::string_view text) {
  const bool complete = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if ((!complete || std::fflush(stream) != 0) && stream == out_ && lost_ == 0) lost_ = errno;
}

Status Terminal::Flush() {
  if (lost_ == 0) return Ok();
  return headrace::Error(Code::kDataLoss, "cannot write the output: {}", std::strerror(lost_));
}

bool WantsColor(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool refused = (no_color && *no_color) || (term && std::string_view(term) == "dumb");
  return !refused && isatty(fileno(stream));
}

}  // namespace headrace::cli
