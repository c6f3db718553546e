#include "headrace/core/status.h"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace headrace {
namespace {

struct CodeRow {
  std::string_view name;
  int exit_code;
  int http_status;
};

// The one table that maps codes outward; its index is the code.
constexpr std::array<CodeRow, 17> kCodes = {{
    {"OK", 0, 200},
    {"CANCELLED", 1, 499},
    {"UNKNOWN", 1, 500},
    {"INVALID_ARGUMENT", 2, 400},
    {"DEADLINE_EXCEEDED", 1, 504},
    {"NOT_FOUND", 1, 404},
    {"ALREADY_EXISTS", 1, 409},
    {"PERMISSION_DENIED", 1, 403},
    {"RESOURCE_EXHAUSTED", 1, 429},
    {"FAILED_PRECONDITION", 1, 400},
    {"ABORTED", 1, 409},
    {"OUT_OF_RANGE", 1, 400},
    {"UNIMPLEMENTED", 1, 501},
    {"INTERNAL", 1, 500},
    {"UNAVAILABLE", 1, 503},
    {"DATA_LOSS", 1, 500},
    {"UNAUTHENTICATED", 1, 401},
}};

const CodeRow& Row(Code code) { return kCodes.at(static_cast<size_t>(code)); }

}  // namespace

std::string_view CodeName(Code code) { return Row(code).name; }
int ExitCode(Code code) { return Row(code).exit_code; }
int HttpStatus(Code code) { return Row(code).http_status; }

Status::Status(Code code, std::string message) : code_(code), message_(std::move(message)) {
  HR_CHECK(code != Code::kOk);
}

std::string Status::ToString() const {
  return ok() ? "OK" : fmt::format("{}: {}", CodeName(code_), message_);
}

void Status::Prepend(std::string_view where) { message_ = fmt::format("{}: {}", where, message_); }

namespace internal {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: internal check failed: %s\nThis is a bug in headrace; please report it.\n",
               file, line, condition);
  std::abort();
}

}  // namespace internal
}  // namespace headrace
