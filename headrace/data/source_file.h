// ReadSourceFile: the bytes of a file that data is read from, wherever a store can reach it.
#pragma once

#include <string_view>

#include "headrace/core/status.h"
#include "headrace/io/bytes.h"

namespace headrace::data {

// The bytes at `path`, a local path or a store's URL (mem://NAME/KEY), mapped where that is possible.
// kNotFound if there is no such file.
Result<io::Blob> ReadSourceFile(std::string_view path);

}  // namespace headrace::data
