// Scan: a loop over the leading dimension of its inputs, with gradients.
#pragma once

#include <functional>

#include "headrace/graph/function.h"

namespace headrace {

struct ScanResult {
  Values carry;
  Values ys;
};

// One step: the carry and a slice of each of the xs -> the next carry, of the same types, and a slice of each
// of the ys.
using ScanBody = std::function<ScanResult(std::span<const Value> carry, std::span<const Value> x)>;

struct ScanOptions {
  int64_t length = -1;   // needed when there are no xs
  bool reverse = false;  // from the last slice to the first; ys stand where their xs do
  int64_t unroll = 1;    // steps that the compiler sees at once
};

// Runs `body` for each slice of the xs [T, ...]. Returns the last carry, and each of the ys with its slices
// behind each other, [T, ...]. The body may use values of the graph around it: they are the same in each
// step. The gradient goes back through the steps; it keeps what depends on the step, and works out once what
// does not. As jax.lax.scan.
//
//   auto [carry, ys] = Scan([&](auto c, auto x) { const Value h = Tanh(Dot(c[0], w) + x[0]);
//                                                 return ScanResult{{h}, {h}}; }, {h0}, {xs});
ScanResult Scan(const ScanBody& body, Values carry, Values xs, ScanOptions options = {});

}  // namespace headrace
