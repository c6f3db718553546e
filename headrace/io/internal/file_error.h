// FileError: what a failed system call means to the person who reads about it.
#pragma once

#include <string_view>

#include "headrace/core/status.h"

namespace headrace::io {

// The Status for errno `error` while `doing` ("writing", "reading") something to `path`: what failed, where,
// and what to do about it. REQUIRES: error > 0
Status FileError(int error, std::string_view doing, std::string_view path);

}  // namespace headrace::io
