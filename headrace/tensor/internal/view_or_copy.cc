#include "headrace/tensor/internal/view_or_copy.h"

#include <algorithm>
#include <cstdint>

#include "headrace/tensor/internal/element.h"

namespace headrace {

Result<HostTensor> ViewOrCopy(const TensorType& type, std::span<const std::byte> bytes,
                              const std::shared_ptr<const void>& owner) {
  if (type.dtype == DType::kPred) {
    const auto odd = std::ranges::find_if(bytes, [](std::byte b) { return b > std::byte{1}; });
    if (odd != bytes.end()) {
      return Error(Code::kDataLoss, "bool {} of {} is {}, not 0 or 1; the data are damaged",
                   odd - bytes.begin(), bytes.size(), static_cast<int>(*odd));
    }
  }
  const auto alignment = static_cast<uintptr_t>(ByteSize(PartOf(type.dtype)));
  const bool aligned = reinterpret_cast<uintptr_t>(bytes.data()) % alignment == 0;
  if (owner != nullptr && aligned) return HostTensor(type, bytes, owner);
  return HostTensor::CopyOf(type, bytes);
}

}  // namespace headrace
