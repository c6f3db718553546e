// What is a key, for every Store.
#pragma once

#include <string_view>

#include "headrace/core/status.h"

namespace headrace::io {

// How the names of FileStore's temporary files begin; no part of a key does.
inline constexpr std::string_view kTemporaryPrefix = ".headrace-tmp-";

// Whether a Store takes `key`; see store.h.
Status CheckKey(std::string_view key);
// The same for the prefix of a List: a key, or the front of one, or empty.
Status CheckPrefix(std::string_view prefix);
// Whether `size` bytes from `offset` lie in the `total` of `where`.
Status CheckRange(std::string_view where, int64_t offset, int64_t size, int64_t total);

}  // namespace headrace::io
