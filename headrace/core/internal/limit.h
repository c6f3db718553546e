// Whether a value keeps to its Limit.
#pragma once

#include "headrace/core/config.h"

namespace headrace::config::internal {

// The error says what the value must be and what it is.
Status CheckLimit(LeafRef value, const Limit& limit);

}  // namespace headrace::config::internal
