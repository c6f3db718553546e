#include "headrace/graph/ops/diagonal.h"

#include <algorithm>
#include <cstdlib>

#include "headrace/graph/ops.h"

namespace headrace {
namespace {

int64_t DiagonalSize(int64_t rows, int64_t columns, int64_t offset) {
  return std::max<int64_t>(0,
                           offset >= 0 ? std::min(rows, columns - offset) : std::min(rows + offset, columns));
}

void RequireMatrices(std::string_view name, Value x) {
  Require(x.rank() >= 2, "{}: takes [..., m, n], not {}", name, x.type().ToString());
}

// x where column - row `compares` with the offset, 0 elsewhere.
Value KeepWhere(Value x, int64_t offset, Comparison comparison) {
  const TensorType counts = {DType::kI32, Shape({x.dim(-2), x.dim(-1)})};
  const Value rows = Iota(x.graph(), counts, 0);
  const Value columns = Iota(x.graph(), counts, 1);
  const Value kept = Compare(columns, rows + static_cast<double>(offset), comparison);
  return Select(kept, x, ZerosLike(x));
}

}  // namespace

Value Diagonal(Value x, int64_t offset, int axis1, int axis2) {
  RequireMatrices("diagonal", x);
  const int rank = x.rank();
  const int row_axis = axis1 < 0 ? axis1 + rank : axis1;
  const int column_axis = axis2 < 0 ? axis2 + rank : axis2;
  const bool within = row_axis >= 0 && row_axis < rank && column_axis >= 0 && column_axis < rank;
  Require(within && row_axis != column_axis, "diagonal: {} and {} are not two dimensions of {}", axis1, axis2,
          x.type().ToString());
  Ints order, dims;
  for (int axis = 0; axis < rank; ++axis) {
    if (axis == row_axis || axis == column_axis) continue;
    order.push_back(axis);
    dims.push_back(x.dim(axis));
  }
  order.insert(order.end(), {row_axis, column_axis});
  // In a row-major matrix the elements of a diagonal lie one row and one element apart.
  const int64_t rows = x.dim(row_axis);
  const int64_t columns = x.dim(column_axis);
  const int64_t size = DiagonalSize(rows, columns, offset);
  dims.push_back(rows * columns);
  const Value flat = Reshape(Transpose(x, order), Shape(dims));
  Ints starts(dims.size(), 0), strides(dims.size(), 1), limits = dims;
  if (size > 0) starts.back() = offset >= 0 ? offset : -offset * columns;
  strides.back() = columns + 1;
  limits.back() = size > 0 ? starts.back() + (size - 1) * (columns + 1) + 1 : 0;
  return Slice(flat, starts, limits, strides);
}

Value MatrixTrace(Value x, int64_t offset, int axis1, int axis2) {
  return Sum(Diagonal(x, offset, axis1, axis2), {-1});
}

Value DiagonalMatrix(Value x, int64_t offset) {
  Require(x.rank() >= 1, "diagonal_matrix: takes [..., n], not {}", x.type().ToString());
  const int64_t size = x.dim(-1) + std::abs(offset);
  Padding padding(static_cast<size_t>(x.rank()));
  padding.back() = {std::max<int64_t>(0, offset), std::max<int64_t>(0, -offset)};
  const Value by_column = ExpandDims(Pad(x, Scalar(x.graph(), x.dtype(), 0), padding), -2);
  Ints dims = x.shape().dims();
  dims.back() = size;
  dims.push_back(size);
  const Value rows = BroadcastTo(by_column, Shape(dims));
  return KeepWhere(rows, offset, Comparison::kEq);
}

Value Tril(Value x, int64_t offset) {
  RequireMatrices("tril", x);
  return KeepWhere(x, offset, Comparison::kLe);
}

Value Triu(Value x, int64_t offset) {
  RequireMatrices("triu", x);
  return KeepWhere(x, offset, Comparison::kGe);
}

Value Eye(Graph& graph, DType dtype, int64_t rows, int64_t columns, int64_t offset) {
  const Value ones = Full(graph, {dtype, Shape({rows, columns})}, 1);
  return KeepWhere(ones, offset, Comparison::kEq);
}

}  // namespace headrace
