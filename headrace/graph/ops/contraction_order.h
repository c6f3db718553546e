// ContractionOrder: which two operands of an einsum are multiplied first, and so on. For ops/ only.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "headrace/graph/op.h"

namespace headrace {

// Two of the operands that are left, by their places in that list, the lower first. Both leave it, and their
// product joins its end.
using Contraction = std::array<size_t, 2>;

// The order of fewest multiplications for up to four operands. For more it takes, each time, the two whose
// product takes least memory beyond their own ("greedy" in Smith and Gray, opt_einsum, 2018). `operands` have
// each label once; labels are summed over as soon as no other operand has them, unless they are in `output`.
std::vector<Contraction> ContractionOrder(const std::vector<Ints>& operands, const Ints& output,
                                          const std::map<int64_t, int64_t>& sizes);

// Multiplications that an order takes; a double, for they are many.
double ContractionCost(const std::vector<Ints>& operands, const Ints& output,
                       const std::map<int64_t, int64_t>& sizes, const std::vector<Contraction>& order);

}  // namespace headrace
