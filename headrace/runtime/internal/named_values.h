// NamedValues across the C API. Private to runtime; included only by .cc files that include pjrt_c_api.h
// first.
#pragma once

#include <span>
#include <vector>

#include "headrace/runtime/internal/api.h"
#include "headrace/runtime/named_value.h"

struct PJRT_NamedValue;

namespace headrace::runtime::internal {

// Points into `values`, which must outlive the result.
std::vector<PJRT_NamedValue> Borrow(std::span<const NamedValue> values);

std::vector<NamedValue> Copy(const PJRT_NamedValue* values, size_t count);

}  // namespace headrace::runtime::internal
