// HostTensor: a dense, row-major array in host memory.
//
// Copies are cheap and share the bytes; whoever fills a tensor does so before it hands out the first copy.
// Memory that HostTensor allocates is 64-byte aligned, so that a device can take it without copying. A tensor
// can also view memory owned by something else (a mapped file), which it keeps alive.
//
//   HostTensor x = HostTensor::Of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
//   std::span<const float> values = x.data<float>();
//   HostTensor zeros({DType::kF32, {1000}});
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "headrace/core/check.h"
#include "headrace/tensor/shape.h"

namespace headrace {

class HostTensor {
 public:
  HostTensor() : HostTensor(TensorType{}) {}  // an f32 scalar, 0
  explicit HostTensor(TensorType type);       // all bytes zero

  // Views `bytes`, which `owner` keeps alive. REQUIRES: bytes.size() == type.ByteCount()
  HostTensor(TensorType type, std::span<const std::byte> bytes, std::shared_ptr<const void> owner);

  // One whose bytes are anything, to be filled by the caller.
  static HostTensor Uninitialized(TensorType type);
  // A copy of `bytes`. REQUIRES: bytes.size() == type.ByteCount()
  static HostTensor CopyOf(TensorType type, std::span<const std::byte> bytes);

  // REQUIRES: values.size() == shape.ElementCount()
  template <class T>
  static HostTensor Of(Shape shape, const std::vector<T>& values);
  template <class T>
  static HostTensor Scalar(T value) {
    return Of<T>({}, std::vector<T>{value});
  }

  const TensorType& type() const { return type_; }
  DType dtype() const { return type_.dtype; }
  const Shape& shape() const { return type_.shape; }
  int64_t size() const { return type_.shape.ElementCount(); }

  std::span<const std::byte> bytes() const { return bytes_; }
  // REQUIRES: this tensor allocated its bytes, and no copy of it exists
  std::span<std::byte> mutable_bytes();

  // The elements. REQUIRES: DTypeOf<T>() == dtype()
  template <class T>
  std::span<const T> data() const {
    HR_CHECK(DTypeOf<T>() == dtype());
    return {reinterpret_cast<const T*>(bytes_.data()), static_cast<size_t>(size())};
  }
  template <class T>
  std::span<T> mutable_data() {
    HR_CHECK(DTypeOf<T>() == dtype());
    return {reinterpret_cast<T*>(mutable_bytes().data()), static_cast<size_t>(size())};
  }

  // Element i in row-major order, widened; complex types give their real part. Beyond 2^53, 64-bit integers
  // are rounded.
  double At(int64_t i) const;
  // Writes element i: floats round to nearest, ties to even; integers truncate, what does not fit becomes the
  // nearest that does and NaN becomes 0; pred is "not 0". REQUIRES: as mutable_bytes
  void Set(int64_t i, double value);

  // The same elements in another type, converted as Set does; between integers they wrap around, between
  // complex types the imaginary parts stay.
  HostTensor ConvertTo(DType dtype) const;
  // The same bytes under another shape. REQUIRES: equal element counts
  HostTensor Reshaped(Shape shape) const;

 private:
  struct Allocate {};
  HostTensor(TensorType type, Allocate);

  TensorType type_;
  std::shared_ptr<std::byte> own_;     // null for a view
  std::shared_ptr<const void> owner_;  // what keeps a view alive
  std::span<const std::byte> bytes_;
};

template <class T>
HostTensor HostTensor::Of(Shape shape, const std::vector<T>& values) {
  HostTensor tensor({DTypeOf<T>(), std::move(shape)});
  HR_CHECK(static_cast<int64_t>(values.size()) == tensor.size());
  auto out = tensor.mutable_data<T>();
  for (size_t i = 0; i < values.size(); ++i) out[i] = values[i];
  return tensor;
}

}  // namespace headrace
