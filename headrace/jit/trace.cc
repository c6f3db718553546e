#include "headrace/jit/trace.h"

namespace headrace::jit {

Result<Function> TryTrace(std::string name, TypeSpan types, const ValueFn& body,
                          std::span<const std::string> names) {
  try {
    return Trace(std::move(name), types, body, names);
  } catch (const GraphError& error) {
    return InvalidArgument("{}", error.what());
  }
}

}  // namespace headrace::jit
