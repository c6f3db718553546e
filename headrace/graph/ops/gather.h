// Slices picked by indices that are computed, and updates put where such indices say. For rows of a table see
// take.h.
#pragma once

#include "headrace/graph/ops/combine.h"

namespace headrace {

// Which dimension is which, in StableHLO's terms ("gather" and "scatter" in its specification). `indices`
// holds index vectors along `index_vector_dim` (or scalars, where that is its rank). Those of its other
// dimensions that are not batching dimensions number the slices. "Slices" are the result of a gather, the
// updates of a scatter.
struct GatherDims {
  Ints offset_dims;              // of the slices, rising: where each slice's own dimensions are
  Ints collapsed_dims;           // of the operand, rising: size 1 in a slice, and left out of it
  Ints operand_batching_dims;    // of the operand, rising: paired, one to one, with
  Ints indices_batching_dims;    // of the indices
  Ints start_index_map;          // of the operand: element i of an index vector is a start in this dimension
  int64_t index_vector_dim = 0;  // of the indices
};

// Slices of `slice_sizes`. A start beyond the operand is moved back until its slice fits.
Value Gather(Value operand, Value indices, GatherDims dims, Ints slice_sizes);

// What an update does to the element that stands where it goes.
enum class ScatterMode { kSet, kAdd, kMul, kMax, kMin };

// The operand with every update put where its index says; an update that does not fit is left out. The order
// of updates that meet is not defined. `unique`: the caller promises that none meet; kSet has a gradient only
// then, and of the others only kAdd has one.
Value Scatter(Value operand, Value indices, Value updates, GatherDims dims, ScatterMode mode,
              bool unique = false);

// The same where `combine` makes of the element that stands there, and of an update, what stands there then.
// It has no gradient.
Value ScatterBy(const CombineFn& combine, Value operand, Value indices, Value updates, GatherDims dims,
                bool unique = false);

}  // namespace headrace
