// A Function as text for people: what is in the graph and where it comes from. (EmitModule is for compilers.)
//
//   loss(x: f32[2, 3], layers.0.weight: f32[3, 4]) {
//     %2 = dot_general {lhs_contracting = [1], rhs_contracting = [0]}(%0, %1) : f32[2, 4]  # layers.0
//     return %2
//   }
#pragma once

#include <string>

#include "headrace/graph/function.h"

namespace headrace {

// One line a node that the results depend on, with its scope; then the functions that its ops hold, each
// below the value that it belongs to.
std::string ToText(const Function& function);

}  // namespace headrace
