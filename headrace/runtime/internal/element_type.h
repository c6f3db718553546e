// Element types across the C API and XLA's protos. Private to runtime.
#pragma once

#include <optional>
#include <string>

#include "headrace/tensor/dtype.h"

namespace headrace::runtime::internal {

// PJRT_Buffer_Type.
int ToPjrt(DType dtype);
std::optional<DType> FromPjrt(int type);
// "s4", for types that have no DType too.
std::string PjrtTypeName(int type);

// xla.PrimitiveType, as in HLO.
std::optional<DType> FromXla(int type);
// HLO's own spelling: "s32", "f32", "token".
std::string XlaTypeName(int type);

}  // namespace headrace::runtime::internal
