// Einsum: sums of products over labelled dimensions, as numpy and jax.numpy have them.
//
//   Value scores = Einsum("bqhd,bkhd->bhqk", {queries, keys});
//   Value trace = Einsum("...ii->...", {matrices});
//   Value product = Einsum("ij,jk,kl", {a, b, c});               // in the order of fewest multiplications
#pragma once

#include <optional>
#include <string_view>

#include "headrace/graph/ops/dot.h"

namespace headrace {

// Any number of operands of one element type, which is one of numbers. A label that stands twice in an
// operand takes its diagonal; labels that the output leaves out are summed over, and "..." too, if an output
// is given without it. Labels and "..." broadcast from size 1. Without "->" the output is what is under "..."
// and then the labels that stand once, in alphabetical order. Products of two operands each, in the order
// that ContractionOrder says. Throws GraphError for subscripts that are wrong or do not fit the operands.
//
// `preferred_element_type`: in what everything is summed and returned, as in DotGeneral.
Value Einsum(std::string_view subscripts, Values operands, Precision precision = Precision::kDefault,
             std::optional<DType> preferred_element_type = {});

}  // namespace headrace
