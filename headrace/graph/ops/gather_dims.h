// What gather and scatter share: see GatherDims. For ops/ only.
#pragma once

#include "headrace/graph/ops/gather.h"

namespace headrace {

void VisitGatherDims(AttributeVisitor& v, GatherDims& dims);

// The shape of the slices. Fails unless the dimensions and `slice_sizes` fit the operand and the indices.
Shape SlicesShape(const TensorType& operand, const TensorType& indices, const GatherDims& dims,
                  const Ints& slice_sizes);

// The sizes of one slice, read from the shape of all: what SlicesShape is the inverse of. Fails when the
// number of offset dimensions is wrong.
Ints SliceSizes(const Shape& operand, const Shape& slices, const GatherDims& dims);

// Index vectors moved back until their slices fit.
Value ClampStarts(Value indices, const Shape& operand, const GatherDims& dims, const Ints& slice_sizes);

// pred, of the shape of the slices: whether each one's start lets it fit.
Value StartsFit(Value indices, const Shape& operand, const GatherDims& dims, const Ints& slice_sizes);

// Of single elements along one dimension, whose places have the rank of the operand: the other dimensions are
// batching ones.
GatherDims AlongAxis(int rank, int64_t axis);

// The dimensions seen from under a batch in front of the slices and of the operand, the indices, or both.
GatherDims BatchedDims(const GatherDims& dims, bool operand, bool indices);

}  // namespace headrace
