#include "headrace/graph/ops/gather_dims.h"

#include <algorithm>
#include <limits>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"

namespace headrace {
namespace {

bool Contains(const Ints& dims, int64_t dim) { return std::ranges::find(dims, dim) != dims.end(); }

void RequireDims(std::string_view name, const Ints& dims, int rank, bool rising) {
  Ints sorted = dims;
  std::ranges::sort(sorted);
  const bool in_range = sorted.empty() || (sorted.front() >= 0 && sorted.back() < rank);
  Require(in_range && std::ranges::adjacent_find(sorted) == sorted.end(),
          "{} {} are not distinct dimensions out of {}", name, Bracketed(dims), rank);
  Require(!rising || sorted == dims, "{} {} must rise", name, Bracketed(dims));
}

// The shape of the indices without the dimension of the index vectors: what numbers the slices.
Ints Numbering(const Shape& indices, const GatherDims& dims) {
  Ints sizes = indices.dims();
  if (dims.index_vector_dim < indices.rank()) sizes.erase(sizes.begin() + dims.index_vector_dim);
  return sizes;
}

void RequireIndices(const TensorType& indices, const GatherDims& dims) {
  Require(IsInteger(indices.dtype), "indices are integers, not {}", Name(indices.dtype));
  const int rank = indices.shape.rank();
  Require(dims.index_vector_dim >= 0 && dims.index_vector_dim <= rank,
          "index_vector_dim {} is not within the {} dimensions of the indices", dims.index_vector_dim, rank);
  const int64_t length =
      dims.index_vector_dim == rank ? 1 : indices.shape[static_cast<int>(dims.index_vector_dim)];
  Require(length == static_cast<int64_t>(dims.start_index_map.size()),
          "index vectors have {} elements, start_index_map {} names {}", length,
          Bracketed(dims.start_index_map), dims.start_index_map.size());
}

void RequireBatching(const Shape& operand, const Shape& indices, const GatherDims& dims) {
  RequireDims("indices_batching_dims", dims.indices_batching_dims, indices.rank(), false);
  Require(!Contains(dims.indices_batching_dims, dims.index_vector_dim),
          "indices_batching_dims {} have index_vector_dim {} among them",
          Bracketed(dims.indices_batching_dims), dims.index_vector_dim);
  Require(dims.operand_batching_dims.size() == dims.indices_batching_dims.size(),
          "batching dimensions {} and {} do not pair up", Bracketed(dims.operand_batching_dims),
          Bracketed(dims.indices_batching_dims));
  for (size_t i = 0; i < dims.operand_batching_dims.size(); ++i) {
    const int64_t a = operand[static_cast<int>(dims.operand_batching_dims[i])];
    const int64_t b = indices[static_cast<int>(dims.indices_batching_dims[i])];
    Require(a == b, "batching dimensions differ in size: {} of the operand is {}, {} of the indices is {}",
            dims.operand_batching_dims[i], a, dims.indices_batching_dims[i], b);
  }
}

// The largest start in each dimension of an index vector, shaped to stand beside the indices.
Value LargestStarts(Value indices, const Shape& operand, const GatherDims& dims, const Ints& slice_sizes) {
  Ints shape(static_cast<size_t>(indices.rank()), 1);
  if (dims.index_vector_dim < indices.rank())
    shape[static_cast<size_t>(dims.index_vector_dim)] = static_cast<int64_t>(dims.start_index_map.size());
  HostTensor largest({indices.dtype(), Shape(shape)});
  // A dimension may be larger than the indices can say.
  const double most = ByteSize(indices.dtype()) == 8 ? std::numeric_limits<double>::infinity()
                      : IsSigned(indices.dtype())    ? std::numeric_limits<int32_t>::max()
                                                     : std::numeric_limits<uint32_t>::max();
  for (size_t i = 0; i < dims.start_index_map.size(); ++i) {
    const int64_t axis = dims.start_index_map[i];
    const int64_t start = operand[static_cast<int>(axis)] - slice_sizes[static_cast<size_t>(axis)];
    largest.Set(static_cast<int64_t>(i), std::min(static_cast<double>(start), most));
  }
  return Constant(indices.graph(), largest);
}

// Indices of a type in which every start of a dimension can be written.
Value Widened(Value indices) {
  return ByteSize(indices.dtype()) < 4 ? Convert(indices, DType::kI32) : indices;
}

}  // namespace

void VisitGatherDims(AttributeVisitor& v, GatherDims& dims) {
  v.Visit("offset_dims", dims.offset_dims);
  v.Visit("collapsed_dims", dims.collapsed_dims);
  v.Visit("operand_batching_dims", dims.operand_batching_dims);
  v.Visit("indices_batching_dims", dims.indices_batching_dims);
  v.Visit("start_index_map", dims.start_index_map);
  v.Visit("index_vector_dim", dims.index_vector_dim);
}

Shape SlicesShape(const TensorType& operand, const TensorType& indices, const GatherDims& dims,
                  const Ints& slice_sizes) {
  const int rank = operand.shape.rank();
  RequireIndices(indices, dims);
  RequireDims("collapsed_dims", dims.collapsed_dims, rank, true);
  RequireDims("operand_batching_dims", dims.operand_batching_dims, rank, true);
  RequireDims("start_index_map", dims.start_index_map, rank, false);
  RequireBatching(operand.shape, indices.shape, dims);
  Require(static_cast<int>(slice_sizes.size()) == rank, "slice_sizes {} must have {} entries",
          Bracketed(slice_sizes), rank);

  Ints own;  // the sizes that a slice keeps
  for (int axis = 0; axis < rank; ++axis) {
    const int64_t size = slice_sizes[static_cast<size_t>(axis)];
    Require(size >= 0 && size <= operand.shape[axis],
            "slices of size {} do not fit into dimension {} of size {}", size, axis, operand.shape[axis]);
    const bool collapsed = Contains(dims.collapsed_dims, axis);
    const bool batching = Contains(dims.operand_batching_dims, axis);
    Require(!(collapsed && batching), "dimension {} is both collapsed and batching", axis);
    Require(!batching || !Contains(dims.start_index_map, axis), "dimension {} is both batching and indexed",
            axis);
    Require(!(collapsed || batching) || size == 1,
            "slices of size {} in dimension {}, which is left out of them", size, axis);
    if (!collapsed && !batching) own.push_back(size);
  }
  Require(own.size() == dims.offset_dims.size(), "offset_dims {} must name {} dimensions",
          Bracketed(dims.offset_dims), own.size());

  const Ints numbering = Numbering(indices.shape, dims);
  const size_t slices_rank = numbering.size() + own.size();
  RequireDims("offset_dims", dims.offset_dims, static_cast<int>(slices_rank), true);
  Ints shape;
  size_t next_own = 0;
  size_t next_number = 0;
  for (size_t axis = 0; axis < slices_rank; ++axis) {
    const bool is_own = Contains(dims.offset_dims, static_cast<int64_t>(axis));
    shape.push_back(is_own ? own[next_own++] : numbering[next_number++]);
  }
  return Shape(shape);
}

Ints SliceSizes(const Shape& operand, const Shape& slices, const GatherDims& dims) {
  Ints sizes;
  size_t next = 0;
  for (int axis = 0; axis < operand.rank(); ++axis) {
    if (Contains(dims.collapsed_dims, axis) || Contains(dims.operand_batching_dims, axis)) {
      sizes.push_back(1);
      continue;
    }
    Require(next < dims.offset_dims.size() && dims.offset_dims[next] >= 0 &&
                dims.offset_dims[next] < slices.rank(),
            "offset_dims {} do not name a dimension of the updates for dimension {} of the operand",
            Bracketed(dims.offset_dims), axis);
    sizes.push_back(slices[static_cast<int>(dims.offset_dims[next++])]);
  }
  return sizes;
}

Value ClampStarts(Value indices, const Shape& operand, const GatherDims& dims, const Ints& slice_sizes) {
  const Value wide = Widened(indices);
  return Maximum(Minimum(wide, LargestStarts(wide, operand, dims, slice_sizes)), ZerosLike(wide));
}

Value StartsFit(Value indices, const Shape& operand, const GatherDims& dims, const Ints& slice_sizes) {
  const Value wide = Widened(indices);
  Value fits = And(GreaterEqual(wide, ZerosLike(wide)),
                   LessEqual(wide, LargestStarts(wide, operand, dims, slice_sizes)));
  if (dims.index_vector_dim < indices.rank()) fits = All(fits, {dims.index_vector_dim});
  const Shape shape = SlicesShape({DType::kPred, operand}, indices.type(), dims, slice_sizes);
  Ints numbering;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!Contains(dims.offset_dims, axis)) numbering.push_back(axis);
  }
  return BroadcastInDim(fits, shape, numbering);
}

GatherDims BatchedDims(const GatherDims& dims, bool operand, bool indices) {
  GatherDims batched = dims;
  batched.offset_dims = ShiftedByBatch(dims.offset_dims);
  if (operand) {
    batched.collapsed_dims = ShiftedByBatch(dims.collapsed_dims);
    batched.operand_batching_dims = ShiftedByBatch(dims.operand_batching_dims);
    batched.start_index_map = ShiftedByBatch(dims.start_index_map);
  }
  if (indices) {
    batched.indices_batching_dims = ShiftedByBatch(dims.indices_batching_dims);
    ++batched.index_vector_dim;
  }
  if (operand && indices) {
    batched.operand_batching_dims.insert(batched.operand_batching_dims.begin(), 0);
    batched.indices_batching_dims.insert(batched.indices_batching_dims.begin(), 0);
  } else if (operand) {
    batched.offset_dims.insert(batched.offset_dims.begin(), 0);  // every slice holds the whole batch
  }
  return batched;
}

GatherDims AlongAxis(int rank, int64_t axis) {
  GatherDims dims{.collapsed_dims = {axis}, .start_index_map = {axis}, .index_vector_dim = rank};
  for (int64_t other = 0; other < rank; ++other) {
    if (other != axis) dims.operand_batching_dims.push_back(other);
  }
  dims.indices_batching_dims = dims.operand_batching_dims;
  return dims;
}

}  // namespace headrace
