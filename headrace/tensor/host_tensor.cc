#include "headrace/tensor/host_tensor.h"

#include <cstring>
#include <new>

#include "headrace/tensor/internal/element.h"

namespace headrace {

HostTensor::HostTensor(TensorType type, Allocate) : type_(std::move(type)) {
  constexpr std::align_val_t kAlignment{64};
  const auto size = static_cast<size_t>(type_.ByteCount());
  auto* memory = static_cast<std::byte*>(::operator new(size, kAlignment));
  own_.reset(memory, [](std::byte* p) { ::operator delete(p, kAlignment); });
  bytes_ = {memory, size};
}

HostTensor::HostTensor(TensorType type) : HostTensor(std::move(type), Allocate{}) {
  std::memset(own_.get(), 0, bytes_.size());
}

HostTensor::HostTensor(TensorType type, std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
    : type_(std::move(type)), owner_(std::move(owner)), bytes_(bytes) {
  HR_CHECK(static_cast<int64_t>(bytes.size()) == type_.ByteCount());
}

HostTensor HostTensor::Uninitialized(TensorType type) { return HostTensor(std::move(type), Allocate{}); }

HostTensor HostTensor::CopyOf(TensorType type, std::span<const std::byte> bytes) {
  HostTensor tensor(std::move(type), Allocate{});
  HR_CHECK(bytes.size() == tensor.bytes().size());
  if (!bytes.empty()) std::memcpy(tensor.own_.get(), bytes.data(), bytes.size());
  return tensor;
}

std::span<std::byte> HostTensor::mutable_bytes() {
  HR_CHECK(own_ != nullptr && own_.use_count() == 1);
  return {own_.get(), bytes_.size()};
}

double HostTensor::At(int64_t i) const {
  HR_CHECK(i >= 0 && i < size());
  const std::byte* at = bytes_.data() + i * ByteSize(dtype());
  return WithElement(PartOf(dtype()), [at]<class Element>(Element) {
    typename Element::Stored stored;
    std::memcpy(&stored, at, sizeof(stored));
    return static_cast<double>(Element::Widen(stored));
  });
}

void HostTensor::Set(int64_t i, double value) {
  HR_CHECK(i >= 0 && i < size());
  const auto width = static_cast<size_t>(ByteSize(dtype()));
  std::byte* at = mutable_bytes().data() + static_cast<size_t>(i) * width;
  std::memset(at, 0, width);  // the imaginary part
  WithElement(PartOf(dtype()), [at, value]<class Element>(Element) {
    const typename Element::Stored stored = Element::Narrow(value);
    std::memcpy(at, &stored, sizeof(stored));
  });
}

HostTensor HostTensor::Reshaped(Shape shape) const {
  HR_CHECK(shape.ElementCount() == size());
  HostTensor out = *this;
  out.type_.shape = std::move(shape);
  return out;
}

}  // namespace headrace
