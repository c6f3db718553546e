// The tensor in bytes that came from a file.
#pragma once

#include <memory>
#include <span>

#include "headrace/core/status.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace {

// Views `bytes` where `owner` keeps them alive and they are aligned as elements in memory are; else copies
// them. Refuses bools other than 0 and 1. REQUIRES: bytes.size() == type.ByteCount()
Result<HostTensor> ViewOrCopy(const TensorType& type, std::span<const std::byte> bytes,
                              const std::shared_ptr<const void>& owner);

}  // namespace headrace
