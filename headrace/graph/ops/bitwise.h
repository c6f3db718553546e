// Functions of the bits of integers, which are those of logic on pred.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

Value Not(Value x);
Value And(Value a, Value b);
Value Or(Value a, Value b);
Value Xor(Value a, Value b);

// Of integers. A shift by less than 0, or by as many bits as there are or more, shifts everything out.
Value ShiftLeft(Value a, Value b);
Value ShiftRightLogical(Value a, Value b);     // zeros come in
Value ShiftRightArithmetic(Value a, Value b);  // copies of the sign come in
Value PopulationCount(Value x);
Value CountLeadingZeros(Value x);

}  // namespace headrace
