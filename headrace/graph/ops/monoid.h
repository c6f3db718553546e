// What reductions are made of: their names in StableHLO, their neutral elements and the types they take. For
// ops/ only.
#pragma once

#include <array>
#include <string_view>

#include "headrace/graph/ops/reduce.h"

namespace headrace {

inline constexpr std::array<std::string_view, 6> kReductionNames = {"add",     "multiply", "maximum",
                                                                    "minimum", "and",      "or"};

// "stablehlo.add" and so on.
std::string_view MlirReduction(Reduction reduction);

// What two elements reduce to.
Value Combine(Reduction reduction, Value a, Value b);

// The neutral element, as a scalar: 0 for add, -inf for maximum, …
HostTensor InitialValue(Reduction reduction, DType dtype);

// Fails unless elements of this type can be reduced so.
void RequireReducible(Reduction reduction, DType dtype);

}  // namespace headrace
