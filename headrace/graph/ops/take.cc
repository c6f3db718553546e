#include "headrace/graph/ops/take.h"

#include <limits>

#include "headrace/graph/ops.h"
#include "headrace/graph/ops/gather_dims.h"
#include "headrace/graph/ops/monoid.h"

namespace headrace {
namespace {

HostTensor Fill(DType dtype) {
  if (IsFloat(dtype)) {
    HostTensor nan({dtype, {}});
    nan.Set(0, std::numeric_limits<double>::quiet_NaN());
    return nan;
  }
  // The smallest integer is where a maximum starts, the largest where a minimum does.
  return InitialValue(IsSigned(dtype) ? Reduction::kMax : Reduction::kMin, dtype);
}

}  // namespace

Value TakeRows(Value table, Value numbers, OutOfRange out_of_range) {
  Require(table.rank() >= 1 && IsInteger(numbers.dtype()),
          "take_rows: takes a table [n, ...] and integers, not {} and {}", table.type().ToString(),
          numbers.type().ToString());
  GatherDims dims{.collapsed_dims = {0}, .start_index_map = {0}, .index_vector_dim = numbers.rank()};
  for (int axis = 1; axis < table.rank(); ++axis) dims.offset_dims.push_back(numbers.rank() + axis - 1);
  Ints sizes = table.shape().dims();
  sizes[0] = 1;
  const Value rows = Gather(table, numbers, dims, sizes);
  if (out_of_range == OutOfRange::kClamp) return rows;
  return Select(StartsFit(numbers, table.shape(), dims, sizes), rows,
                Constant(table.graph(), Fill(table.dtype())));
}

Value TakeAlongAxis(Value x, Value places, int axis, OutOfRange out_of_range) {
  const int dim = axis < 0 ? axis + x.rank() : axis;
  Require(dim >= 0 && dim < x.rank(), "take_along_axis: {} has no axis {}", x.type().ToString(), axis);
  const GatherDims dims = AlongAxis(x.rank(), dim);
  const Ints sizes(static_cast<size_t>(x.rank()), 1);
  const Value taken = Gather(x, places, dims, sizes);
  if (out_of_range == OutOfRange::kClamp) return taken;
  return Select(StartsFit(places, x.shape(), dims, sizes), taken, Constant(x.graph(), Fill(x.dtype())));
}

Value OneHot(Value numbers, int64_t classes, DType dtype) {
  Require(IsInteger(numbers.dtype()), "one_hot: takes integers, not {}", numbers.type().ToString());
  if (ByteSize(numbers.dtype()) < 4) numbers = Convert(numbers, DType::kI32);  // room to count the classes
  Ints shape = numbers.shape().dims();
  shape.push_back(classes);
  const Value counter = Iota(numbers.graph(), {numbers.dtype(), Shape(shape)}, -1);
  return Convert(Equal(ExpandDims(numbers, -1), counter), dtype);
}

}  // namespace headrace
