// TryTrace: Trace for callers that want a Status. The one place where GraphError is caught.
#pragma once

#include <span>
#include <string>

#include "headrace/core/status.h"
#include "headrace/graph/function.h"

namespace headrace::jit {

// As Trace in graph/function.h; a GraphError becomes kInvalidArgument with its text.
Result<Function> TryTrace(std::string name, TypeSpan types, const ValueFn& body,
                          std::span<const std::string> names = {});

}  // namespace headrace::jit
