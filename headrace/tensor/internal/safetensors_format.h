// What reading and writing safetensors share: the names of the types and the limits of the format.
#pragma once

#include <optional>
#include <string_view>

#include "headrace/tensor/dtype.h"

namespace headrace {

inline constexpr std::string_view kSafetensorsMetadataKey = "__metadata__";
inline constexpr int64_t kMostSafetensorsHeader = 100'000'000;  // bytes; the format's own limit

// "F32", "BOOL" and so on; nothing for a type that the format does not have.
std::optional<std::string_view> SafetensorsTypeName(DType dtype);
// The other way; nothing for a type that we do not have.
std::optional<DType> ParseSafetensorsType(std::string_view name);

}  // namespace headrace
