// The precision attribute that products carry. For ops/ only.
#pragma once

#include <array>
#include <string>

#include "headrace/graph/ops/dot.h"

namespace headrace {

inline constexpr std::array<std::string_view, 3> kPrecisionNames = {"DEFAULT", "HIGH", "HIGHEST"};

// [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>]: one for each of two operands.
inline std::string PrecisionConfig(Precision precision) {
  const std::string one =
      fmt::format("#stablehlo<precision {}>", kPrecisionNames[static_cast<size_t>(precision)]);
  return fmt::format("[{0}, {0}]", one);
}

}  // namespace headrace
