// Reads the compiler's optimized program (a serialized xla.HloModuleProtoWithConfig or HloModuleProto).
// Private to runtime.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/runtime/executable.h"

namespace headrace::runtime::internal {

// `format` is what PJRT calls it: "hlo_with_config" or "hlo". kUnimplemented for any other.
Result<std::vector<Executable::Parameter>> ReadParameters(std::string_view format, std::string_view bytes);

// The module in HLO's notation, computations in the module's order, the entry last. Attributes beyond those
// that tell one what is computed (dimensions, called computations, names) are left out, so XLA cannot read it
// back.
Result<std::string> HloText(std::string_view format, std::string_view bytes);

}  // namespace headrace::runtime::internal
