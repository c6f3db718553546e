// Rotary position embedding: pairs of elements turned by an angle that grows with the position, so that
// products of queries and keys depend on their distance (Su et al., "RoFormer", 2021).
//
//   const RotaryTable table = MakeRotaryTable(positions, RotaryFrequencies(64, 10000));   // once a model
//   q = Rotate(q, table, RotaryPairs::kHalves);                                           // in each layer
#pragma once

#include <span>
#include <vector>

#include "headrace/graph/value.h"

namespace headrace::nn {

// Which elements of a head are turned together: i and i + d/2, as in GPT-NeoX and the Llama of Hugging Face;
// or 2i and 2i + 1, as in the paper, GPT-J and the Llama of GGUF files.
enum class RotaryPairs { kHalves, kNeighbours };

// Radians a position of each pair: base^(-2i / dims). REQUIRES: dims is even
std::vector<double> RotaryFrequencies(int64_t dims, double base);

struct RotaryTable {
  Value cos, sin;  // f32 [..., T, pairs]
};

// positions: integer [T], or [B, T] where they differ from one sequence to the next.
RotaryTable MakeRotaryTable(Value positions, std::span<const double> frequencies);

// x [B, T, heads, d] -> the same. A table of fewer than d/2 pairs leaves the elements behind theirs as they
// are.
Value Rotate(Value x, const RotaryTable& table, RotaryPairs pairs);

}  // namespace headrace::nn
