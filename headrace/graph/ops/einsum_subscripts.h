// EinsumSubscripts: "ij,jk->ik" read against the shapes of the operands. For ops/ only.
#pragma once

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "headrace/graph/op.h"

namespace headrace {

// A label is the code of its letter. The dimensions under "..." have labels too: -1 is the last of them, -2
// the one before, so that equal labels are aligned.
struct EinsumSubscripts {
  std::vector<Ints> operands;  // a label a dimension
  Ints output;
  std::map<int64_t, int64_t> sizes;  // by label; an operand may have 1 instead
};

// Without "->", the output is what is under "..." and then the labels that stand once, in alphabetical order.
// Fails, saying which operand or label is wrong.
EinsumSubscripts ParseEinsum(std::string_view text, std::span<const Shape> shapes);

}  // namespace headrace
