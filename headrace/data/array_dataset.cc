#include "headrace/data/array_dataset.h"

#include <algorithm>
#include <cstring>

namespace headrace::data {
namespace {

template <class T>
void Divide(std::span<const std::byte> from, float by, std::span<std::byte> to) {
  for (size_t i = 0; i < to.size() / sizeof(float); ++i) {
    T value;
    std::memcpy(&value, from.data() + i * sizeof(T), sizeof(T));
    const float quotient = static_cast<float>(value) / by;
    std::memcpy(to.data() + i * sizeof(float), &quotient, sizeof quotient);
  }
}

using DivideFunction = void (*)(std::span<const std::byte>, float, std::span<std::byte>);

// Null for the rarer types, which are converted once instead.
DivideFunction DivideOf(DType dtype) {
  switch (dtype) {
    case DType::kU8:
      return Divide<uint8_t>;
    case DType::kI8:
      return Divide<int8_t>;
    case DType::kU16:
      return Divide<uint16_t>;
    case DType::kI16:
      return Divide<int16_t>;
    case DType::kU32:
      return Divide<uint32_t>;
    case DType::kI32:
      return Divide<int32_t>;
    case DType::kU64:
      return Divide<uint64_t>;
    case DType::kI64:
      return Divide<int64_t>;
    case DType::kF32:
      return Divide<float>;
    case DType::kF64:
      return Divide<double>;
    default:
      return nullptr;
  }
}

Shape WithoutFirst(const Shape& shape) { return Shape(std::vector(shape.begin() + 1, shape.end())); }

}  // namespace

Result<std::shared_ptr<const Dataset>> ArrayDataset::Create(Origin origin, std::vector<Column> columns) {
  if (columns.empty()) return InvalidArgument("{} has no fields", origin.name);
  for (Column& column : columns) {
    const Shape& shape = column.values.shape();
    if (shape.rank() == 0) return InvalidArgument("{}: {} is a scalar", origin.name, column.name);
    if (shape[0] != columns[0].values.shape()[0]) {
      return InvalidArgument("{}: {} holds {} examples, but {} holds {}", origin.name, column.name, shape[0],
                             columns[0].name, columns[0].values.shape()[0]);
    }
    if (column.divide_by && IsComplex(column.values.dtype())) {
      return InvalidArgument("{}: {} holds complex numbers, expected real ones", origin.name, column.name);
    }
    if (column.divide_by && DivideOf(column.values.dtype()) == nullptr) {
      column.values = column.values.ConvertTo(DType::kF32);
    }
  }
  return std::shared_ptr<const Dataset>(new ArrayDataset(std::move(origin), std::move(columns)));
}

ArrayDataset::ArrayDataset(Origin origin, std::vector<Column> columns)
    : origin_(std::move(origin)), columns_(std::move(columns)), size_(columns_[0].values.shape()[0]) {
  for (const Column& column : columns_) {
    const DType dtype = column.divide_by ? DType::kF32 : column.values.dtype();
    fields_.push_back({column.name, {dtype, WithoutFirst(column.values.shape())}});
  }
}

std::string ArrayDataset::Where(int64_t index) const {
  return origin_.where ? origin_.where(index) : fmt::format("{}, example {}", origin_.name, index);
}

Status ArrayDataset::Fill(int64_t index, Row row) const {
  for (size_t i = 0; i < columns_.size(); ++i) {
    const HostTensor& values = columns_[i].values;
    const auto stride = static_cast<size_t>(fields_[i].type.shape.ElementCount()) * ByteSize(values.dtype());
    const std::span<const std::byte> from = values.bytes().subspan(index * stride, stride);
    if (const std::optional<double>& by = columns_[i].divide_by) {
      DivideOf(values.dtype())(from, static_cast<float>(*by), row[i]);
    } else {
      std::ranges::copy(from, row[i].begin());
    }
  }
  return Ok();
}

}  // namespace headrace::data
