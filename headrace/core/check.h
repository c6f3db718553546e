// HR_CHECK(condition): stops the program at a broken invariant of our own. Never for input: that gets a
// Status.
#pragma once

namespace headrace::internal {
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);
}

#define HR_CHECK(condition) \
  ((condition) ? void() : ::headrace::internal::CheckFailed(#condition, __FILE__, __LINE__))
