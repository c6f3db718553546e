// ErrorOf: the text of the GraphError that an expression throws. For tests only.
#pragma once

#include <string>

#include "headrace/graph/error.h"

namespace headrace {

// "" if it throws none.
template <class Build>
std::string ErrorOf(Build build) {
  try {
    (void)build();
  } catch (const GraphError& error) {
    return error.what();
  }
  return "";
}

}  // namespace headrace
