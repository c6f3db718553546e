// The header of a .npy file: a Python dictionary, as text.
#pragma once

#include <string>
#include <string_view>

#include "headrace/core/status.h"
#include "headrace/tensor/shape.h"

namespace headrace {

struct NpyHeader {
  TensorType type;
  bool fortran_order = false;
};

// Reads "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }".
Result<NpyHeader> ParseNpyHeader(std::string_view text);

// Writes it; an error for types that numpy has no name for.
Result<std::string> FormatNpyHeader(const TensorType& type);

}  // namespace headrace
