// GraphError: what expression-building code throws when an expression is wrong. Only the trace in `jit`
// catches it.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace headrace {

class GraphError : public std::runtime_error {
 public:
  // `where` is the scope path ("layers.3/attention"), may be empty; `what` says what is wrong, with shapes.
  GraphError(std::string_view where, std::string_view what)
      : std::runtime_error(where.empty() ? std::string(what) : fmt::format("{} (in {})", what, where)),
        message_(what) {}

  // The text without the place.
  const std::string& message() const { return message_; }

 private:
  std::string message_;
};

// Fail("transpose: permutation {} …", …): throws a GraphError; Graph::Apply adds the operands and the scope
// path.
template <class... Args>
[[noreturn]] void Fail(fmt::format_string<Args...> what, Args&&... args) {
  throw GraphError("", fmt::format(what, std::forward<Args>(args)...));
}

// Require(condition, message…): Fail unless the condition holds.
template <class... Args>
void Require(bool condition, fmt::format_string<Args...> what, Args&&... args) {
  if (!condition) Fail(what, std::forward<Args>(args)...);
}

}  // namespace headrace
