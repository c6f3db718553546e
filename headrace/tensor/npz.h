// Npz: reads and writes the bytes of numpy's .npz files, zip archives of .npy files.
//
//   HR_TRY(std::vector<NamedTensor> arrays, DecodeNpz(blob.bytes));
//   HR_TRY(std::string bytes, EncodeNpz(arrays, NpzCompression::kDeflate));
#pragma once

#include <span>
#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/tensor/named_tensor.h"

namespace headrace {

enum class NpzCompression { kStore, kDeflate };  // numpy's savez and savez_compressed

// The arrays in the order of the archive, named as numpy names them (without ".npy").
Result<std::vector<NamedTensor>> DecodeNpz(std::span<const std::byte> bytes);

// Equal arrays give equal bytes: no times are written.
Result<std::string> EncodeNpz(std::span<const NamedTensor> arrays,
                              NpzCompression compression = NpzCompression::kStore);

}  // namespace headrace
