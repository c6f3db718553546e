// Vjp: the gradient of an op as that of another expression that computes the same. For ops/ only.
#pragma once

#include "headrace/graph/function.h"

namespace headrace {

// Cotangents of the operands (empty for those that are not floating-point) from those of the results that
// `body` makes of them. It is traced apart, under `name`, and put in whole: taken in place, a gradient would
// also run through nodes by which one operand depends on another.
Values Vjp(std::string name, const ValueFn& body, const Values& operands, std::span<const Value> cotangents);

}  // namespace headrace
