// Matrix products.
#pragma once

#include <optional>

#include "headrace/graph/graph.h"

namespace headrace {

// How exactly products of f32 are computed on devices that have faster, coarser units (TPU, tensor cores).
enum class Precision { kDefault, kHigh, kHighest };

struct DotDims {
  Ints lhs_batch, rhs_batch;        // paired; lead the result
  Ints lhs_contract, rhs_contract;  // paired; summed over
};

// Result dimensions: batch, the rest of lhs, the rest of rhs. `preferred_element_type`: in what products are
// summed and returned, the operands' own by default; of the operands' kind and at least as wide.
Value DotGeneral(Value lhs, Value rhs, DotDims dims, Precision precision = Precision::kDefault,
                 std::optional<DType> preferred_element_type = {});

// [..., k] · [k, n] -> [..., n], over the last dimension of x.
Value Dot(Value x, Value w, Precision precision = Precision::kDefault,
          std::optional<DType> preferred_element_type = {});

}  // namespace headrace
