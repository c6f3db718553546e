// Status and Result<T>: how every function outside a trace reports what went wrong.
//
// A Status is a code and a message that a person can act on: what, where, what to do next. Codes are the
// sixteen of PJRT (and abseil). Both types are values, cheap to return, safe to use from any thread, and
// [[nodiscard]].
//
//   Result<Config> Load(std::string_view path) {
//     HR_TRY(std::string text, ReadFile(path));              // returns early on an error
//     return Parse(text).Context("reading {}", path);        // says where
//   }
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "headrace/core/check.h"

namespace headrace {

enum class Code : int {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
};

// "INVALID_ARGUMENT" and so on; the field's spelling.
std::string_view CodeName(Code code);

// The exit code of a program that ends with this code: 0 done, 2 the caller's mistake (usage, config), 1 the
// rest.
int ExitCode(Code code);

// The HTTP status that a server answers with for this code.
int HttpStatus(Code code);

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string message);  // REQUIRES: code != kOk

  bool ok() const { return code_ == Code::kOk; }
  Code code() const { return code_; }
  const std::string& message() const { return message_; }

  // "CODE: message", or "OK".
  std::string ToString() const;

  // Puts "<where>: " before the message of an error; an OK status stays as it is.
  template <class... Args>
  Status Context(fmt::format_string<Args...> where, Args&&... args) && {
    if (!ok()) Prepend(fmt::format(where, std::forward<Args>(args)...));
    return std::move(*this);
  }

 private:
  void Prepend(std::string_view where);

  Code code_ = Code::kOk;
  std::string message_;
};

inline Status Ok() { return {}; }

// Error(Code::kNotFound, "no file {}", path): the one way to make an error.
template <class... Args>
Status Error(Code code, fmt::format_string<Args...> message, Args&&... args) {
  return Status(code, fmt::format(message, std::forward<Args>(args)...));
}

template <class... Args>
Status InvalidArgument(fmt::format_string<Args...> message, Args&&... args) {
  return Status(Code::kInvalidArgument, fmt::format(message, std::forward<Args>(args)...));
}

// A T or the Status that says why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<1>, std::move(value)) {}
  Result(Status status) : state_(std::in_place_index<0>, std::move(status)) {
    HR_CHECK(!std::get<0>(state_).ok());  // an OK status holds no value
  }

  bool ok() const { return state_.index() == 1; }
  // The error, or OK.
  Status status() const& { return ok() ? Status() : std::get<0>(state_); }
  Status status() && { return ok() ? Status() : std::move(std::get<0>(state_)); }

  // REQUIRES: ok()
  T& value() & { return Checked(); }
  const T& value() const& { return const_cast<Result*>(this)->Checked(); }
  T value() && { return std::move(Checked()); }  // by value, so that a loop over it is safe
  T& operator*() & { return Checked(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(Checked()); }
  T* operator->() { return &Checked(); }
  const T* operator->() const { return &value(); }

  T value_or(T other) && { return ok() ? std::move(Checked()) : std::move(other); }

  template <class... Args>
  Result Context(fmt::format_string<Args...> where, Args&&... args) && {
    if (!ok()) state_ = std::get<0>(std::move(state_)).Context(where, std::forward<Args>(args)...);
    return std::move(*this);
  }

 private:
  T& Checked() {
    HR_CHECK(ok());
    return std::get<1>(state_);
  }

  std::variant<Status, T> state_;
};

namespace internal {
inline Status ToStatus(Status status) { return status; }
template <class T>
Status ToStatus(Result<T>&& result) {
  return std::move(result).status();
}
}  // namespace internal

// HR_TRY(expression): returns the error of a Status or Result from the enclosing function.
// HR_TRY(T name, expression): the same for a Result, and declares `name` with its value.
#define HR_TRY(first, ...) HR_TRY_##__VA_OPT__(VALUE_)(first __VA_OPT__(, ) __VA_ARGS__)

#define HR_TRY_(expression)                                                                \
  do {                                                                                     \
    if (auto&& hr_result = (expression); !hr_result.ok())                                  \
      return ::headrace::internal::ToStatus(std::forward<decltype(hr_result)>(hr_result)); \
  } while (false)

#define HR_TRY_VALUE_(declaration, ...) \
  HR_TRY_NAMED_(HR_CONCAT_(hr_result_, __COUNTER__), declaration, __VA_ARGS__)
#define HR_TRY_NAMED_(result, declaration, ...)                               \
  auto&& result = (__VA_ARGS__);                                              \
  if (!result.ok()) return ::headrace::internal::ToStatus(std::move(result)); \
  declaration = *std::move(result)

#define HR_CONCAT_(a, b) HR_CONCAT_INNER_(a, b)
#define HR_CONCAT_INNER_(a, b) a##b
}  // namespace headrace
