// Npy: reads and writes the bytes of numpy's .npy files (format versions 1 to 3).
//
// Little-endian bools, integers, floats and complex numbers. Arrays in Fortran order are transposed into
// ours. Refused, with what to do: big-endian, structured and object arrays, and bfloat16 and float8, of which
// numpy forgets the type when it saves them.
//
//   HR_TRY(HostTensor x, DecodeNpy(blob.bytes, blob.owner));
//   HR_TRY(std::string bytes, EncodeNpy(x));
#pragma once

#include <memory>
#include <span>
#include <string>

#include "headrace/core/status.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace {

// Views the data where `owner` is given and the data are aligned and in our order; copies it otherwise.
Result<HostTensor> DecodeNpy(std::span<const std::byte> bytes,
                             const std::shared_ptr<const void>& owner = nullptr);

// A version 1 file whose data are 64-byte aligned, as numpy writes it.
Result<std::string> EncodeNpy(const HostTensor& tensor);

}  // namespace headrace
