// Products of vectors, matrices and stacks of them, as numpy has them. `precision` and
// `preferred_element_type` are those of DotGeneral.
#pragma once

#include <optional>

#include "headrace/graph/ops/dot.h"

namespace headrace {

// [..., m, k] · [..., k, n] -> [..., m, n], the leading dimensions broadcast. A vector is a row on the left
// and a column on the right, and its new dimension disappears again.
Value Matmul(Value a, Value b, Precision precision = Precision::kDefault,
             std::optional<DType> preferred_element_type = {});

// Every product of an element of a with one of b: [size of a, size of b].
Value Outer(Value a, Value b);

// Summed over the last `axes` dimensions of a with the first of b, or over pairs of axes; what is left of a,
// then what is left of b. Negative axes count from the end.
Value Tensordot(Value a, Value b, int axes = 2, Precision precision = Precision::kDefault,
                std::optional<DType> preferred_element_type = {});
Value Tensordot(Value a, Value b, Ints a_axes, Ints b_axes, Precision precision = Precision::kDefault,
                std::optional<DType> preferred_element_type = {});

}  // namespace headrace
