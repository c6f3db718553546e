// CountFlops: how many floating-point operations a function asks for, counted on its graph.
//
// A multiplication and an addition are two. Products of matrices and convolutions count as they are written
// down in text books: 2 m n k, and 2 for each weight at each position, padding among them, the holes of a
// dilated input not. Elementwise functions count one an element, exp and tanh like addition; reductions one
// an element that goes in; what moves, converts or draws numbers, and integers, nothing. The body of a scan
// counts as often as it runs, of several branches the dearest.
//
//   const Flops flops = CountFlops(function);
//   fmt::print("{:.1f} GFLOPs, {:.0f} % of them products\n", flops.total() / 1e9,
//              100 * flops.products / flops.total());
#pragma once

#include <set>
#include <string>

#include "headrace/graph/function.h"

namespace headrace {

struct Flops {
  double products = 0;  // of matrices, and convolutions
  double others = 0;
  // Names of the ops that are not in these numbers, or not as often as they run: calls of foreign functions,
  // decompositions of matrices, sorts; loops whose length only running them tells, counted as one round.
  std::set<std::string> uncounted = {};

  double total() const { return products + others; }
  bool operator==(const Flops&) const = default;
};

Flops CountFlops(const Function& function);

}  // namespace headrace
