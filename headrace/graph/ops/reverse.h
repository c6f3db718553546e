// Dimensions back to front.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

Value Reverse(Value x, Ints dims);

}  // namespace headrace
