// The functions among an op's attributes. Internal to `graph`.
#pragma once

#include <memory>
#include <vector>

#include "headrace/graph/function.h"

namespace headrace {

std::vector<std::shared_ptr<const Function>> HeldFunctions(const Op& op);

}  // namespace headrace
