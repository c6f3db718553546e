// Whether bytes are text that a config may be made of.
#pragma once

#include <string_view>

#include "headrace/core/status.h"

namespace headrace::config::internal {

// Refuses, with line and byte, what is not UTF-8 and the control characters that YAML does not allow. (The
// YAML library would silently replace the first and end the document at one of the second.)
Status CheckText(std::string_view text);

// The bytes of the UTF-8 character that `text` starts with (RFC 3629), or 0 if it starts with none.
size_t Utf8Length(std::string_view text);

}  // namespace headrace::config::internal
