// WriteOutputFile: a file at a path that a person gave, written whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "headrace/core/status.h"

namespace headrace::run {

// Makes missing folders. Errors say what could not be written and why.
Status WriteOutputFile(const std::string& path, std::string_view bytes);

}  // namespace headrace::run
